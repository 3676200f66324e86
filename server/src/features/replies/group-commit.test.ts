// The group commit against a database that fails where it hurts, on both engines.
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { afterEach, describe, expect, it } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { Database } from "../../platform/database/database.ts";
import { createLogger } from "../../platform/logger.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { systemClock } from "../../ports/clock.ts";
import { acquireLease, eventsAfter, readLog } from "../sessions/stream-log-store.ts";
import { DatabaseUnavailable } from "../../platform/database/database-unavailable.ts";
import { GroupCommit } from "./group-commit.ts";
import { LogAppender } from "./log-appender.ts";
import { textEvent } from "./reply-events.ts";

const OWNER = "this process";
const away = (why: string) => new DatabaseUnavailable(new Error(why));

describe.each(engines)("group commit on %s", (engine) => {
  const opened: TestDatabase[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  async function setUp(wrap: (db: Database) => Database = (db) => db, flushMs = 5) {
    const test = await openTestDatabase(engine);
    opened.push(test);
    const db = test.db;
    await db.transaction(async (trx) => {
      for (const reply of [7, 8]) await acquireLease(db, trx, { reply, userId: "u", owner: OWNER, epoch: 1 });
    });
    const commit = new GroupCommit({
      db: wrap(db),
      owner: OWNER,
      flushMs,
      clock: systemClock,
      log: createLogger("silent"),
      metrics: createMetrics(),
    });
    const seen: { firstId: number; events: StreamEvent[] }[] = [];
    let fenced = 0;
    const failures: unknown[] = [];
    const appenderOf = (reply: number) =>
      new LogAppender(
        commit,
        { reply, epoch: 1, nextId: 1 },
        {
          onCommitted: (firstId, events) => seen.push({ firstId, events }),
          onFenced: () => (fenced += 1),
          onOverflow: () => {},
          onFailed: (error) => failures.push(error),
        },
      );
    const stored = async (reply = 7) => eventsAfter(await readLog(db.kysely, reply, 1), 0);
    return {
      db,
      commit,
      appenderOf,
      log: appenderOf(7),
      other: appenderOf(8),
      seen,
      stored,
      fenced: () => fenced,
      failures,
    };
  }

  const text = (events: readonly StreamEvent[]) =>
    events.map((event) => (event.type === "delta" ? event.data.v : event.type)).join("");

  it("shows nothing that is not stored, joins neighbouring text and numbers without a gap", async () => {
    const { log, seen, stored } = await setUp();
    for (const word of ["a ", "b ", "c ", "d "]) {
      log.append(textEvent(word));
      log.append(textEvent(word));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    log.append({ type: "finish", data: {} });
    await log.drained(5000);
    const events = await stored();
    expect(text(events)).toBe("a a b b c c d d finish");
    expect(events.map((event) => event.id)).toEqual(events.map((_event, index) => index + 1));
    expect(seen.flatMap((group) => group.events).length).toBe(events.length);
    expect(events.length).toBeLessThan(9);
  });

  it("writes once what was committed although its answer was lost", async () => {
    let failures = 2;
    const { log, seen, stored } = await setUp((db) => ({
      ...db,
      async transaction(work) {
        const result = await db.transaction(work);
        if (failures-- > 0) throw away("the connection broke after COMMIT");
        return result;
      },
    }));
    log.append(textEvent("once "));
    await expect.poll(() => failures).toBeLessThan(2);
    log.append(textEvent("only"));
    await log.drained(5000);
    expect(text(await stored())).toBe("once only");
    expect(text(seen.flatMap((group) => group.events))).toBe("once only");
  });

  it("writes once what is committed late, after it was looked for and not found", async () => {
    let late: (() => Promise<unknown>) | null = null;
    let tries = 0;
    const { log, seen, stored, failures } = await setUp((db) => ({
      ...db,
      async transaction(work) {
        tries += 1;
        if (tries === 1) {
          late = () => db.transaction(work);
          throw away("no answer to COMMIT in time");
        }
        await late?.();
        late = null;
        return db.transaction(work);
      },
    }));
    log.append(textEvent("once "));
    await expect.poll(() => tries).toBe(1);
    log.append(textEvent("only"));
    await log.drained(5000);
    expect(failures).toEqual([]);
    expect(text(await stored())).toBe("once only");
    expect(text(seen.flatMap((group) => group.events))).toBe("once only");
  });

  it("keeps the order when a commit fails before it happened", async () => {
    let failures = 2;
    let tries = 0;
    const { log, stored } = await setUp((db) => ({
      ...db,
      transaction(work) {
        tries += 1;
        if (failures-- > 0) throw away("no connection");
        return db.transaction(work);
      },
    }));
    for (const word of ["one ", "two ", "three"]) {
      const before = tries;
      log.append(textEvent(word));
      await expect.poll(() => tries).toBeGreaterThan(before);
    }
    await log.drained(5000);
    expect(text(await stored())).toBe("one two three");
  });

  it("writes by itself what came while a commit was tried again", async () => {
    let failures = 1;
    const { log, stored } = await setUp((db) => ({
      ...db,
      transaction(work) {
        if (failures-- > 0) throw away("no connection");
        return db.transaction(work);
      },
    }));
    log.append(textEvent("first "));
    await expect.poll(() => failures).toBeLessThan(1);
    log.append(textEvent("second"));
    await expect.poll(async () => text(await stored())).toBe("first second");
  });

  it("gives up the one reply that the database refuses, and stores the others of its group", async () => {
    const { log, other, stored, failures } = await setUp((db) => ({
      ...db,
      async appendLog(trx, owner, rows) {
        const bad = rows.find((row) => row.events.includes("poison"));
        if (bad !== undefined) throw new Error("this row is refused");
        return db.appendLog(trx, owner, rows);
      },
    }));
    log.append(textEvent("poison"));
    other.append(textEvent("good"));
    await other.drained(5000);
    await expect.poll(() => failures).toMatchObject([{ message: "this row is refused" }]);
    expect(text(await stored(8))).toBe("good");
    log.append(textEvent("more"));
    other.append(textEvent(" and more"));
    await other.drained(5000);
    expect(text(await stored(8))).toBe("good and more");
    expect(await stored(7)).toEqual([]);
    expect(failures).toHaveLength(1);
  });

  it("is not undone by a listener that throws: the other replies of the group are stored once", async () => {
    const { log, other, stored, seen, failures } = await setUp();
    const push = seen.push.bind(seen);
    seen.push = (group) => {
      if (group.events.some((event) => event.type === "delta" && event.data.v === "bad")) {
        throw new Error("a reader's fault");
      }
      return push(group);
    };
    log.append(textEvent("bad"));
    other.append(textEvent("good"));
    await other.drained(5000);
    await expect.poll(() => failures).toMatchObject([{ message: "a reader's fault" }]);
    expect(text(await stored(8))).toBe("good");
    expect(seen).toHaveLength(1);
  });

  it("paces runs under load: what they take when a commit is due is in that commit", async () => {
    const { db, commit, appenderOf, log, seen } = await setUp();
    expect(commit.pace()).toBeNull();
    const many = Array.from({ length: 70 }, (_none, index) => 100 + index);
    await db.transaction(async (trx) => {
      for (const reply of many) await acquireLease(db, trx, { reply, userId: "u", owner: OWNER, epoch: 1 });
    });
    for (const reply of many) appenderOf(reply).append(textEvent("busy"));
    await expect.poll(() => seen.length).toBe(many.length);
    const due = commit.pace();
    expect(due).not.toBeNull();
    expect(commit.pace()).toBe(due);
    // Nobody has written anything: the commit comes due by itself, and takes what is written then.
    await due;
    log.append(textEvent("taken when due"));
    await commit.nextFlush();
    expect(seen.at(-1)?.events).toEqual([textEvent("taken when due")]);
    await expect.poll(() => commit.pace()).toBeNull();
  });

  it("a commit that a run waits for goes at once, unless there are many replies", async () => {
    const { log, seen, commit, db, appenderOf } = await setUp(undefined, 3_600_000);
    for (const word of ["one", "two", "three"]) {
      log.append(textEvent(word));
      await log.drained(7_200_000);
    }
    expect(text(seen.flatMap(({ events }) => events))).toBe("onetwothree");

    const many = Array.from({ length: 70 }, (_none, index) => 100 + index);
    await db.transaction(async (trx) => {
      for (const reply of many) await acquireLease(db, trx, { reply, userId: "u", owner: OWNER, epoch: 1 });
    });
    for (const reply of many) appenderOf(reply).append(textEvent("busy"));
    log.append(textEvent("busy, too"));
    commit.schedule(log, true);
    expect(log.frozen).toEqual([]);
  });

  it("is refused once another process has the lease, and says so once", async () => {
    const { db, log, other, stored, fenced, seen } = await setUp();
    log.append(textEvent("mine"));
    await log.drained(5000);
    await db.kysely
      .updateTable("reply_lease")
      .set({ owner: "another", epoch: 2 })
      .where("reply", "=", 7)
      .execute();
    log.append(textEvent("too late"));
    await log.drained(5000);
    log.append(textEvent("much too late"));
    // What is committed after it is stored: so it is not.
    other.append(textEvent("after it"));
    await other.drained(5000);
    expect(text(await stored(8))).toBe("after it");
    expect(text(await stored())).toBe("mine");
    expect(seen).toHaveLength(2);
    expect(fenced()).toBe(1);
  });
});
