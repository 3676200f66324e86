// The group commit against a database that fails where it hurts, on both engines.
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { afterEach, describe, expect, it } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { Database } from "../../platform/database/database.ts";
import { createLogger } from "../../platform/logger.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { systemClock } from "../../ports/clock.ts";
import { insertLease } from "../sessions/lease-store.ts";
import { eventsAfter, readLog } from "../sessions/stream-log-store.ts";
import { GroupCommit, growText, ReplyLog } from "./group-commit.ts";

const OWNER = "this process";

describe.each(engines)("group commit on %s", (engine) => {
  const opened: TestDatabase[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  async function setUp(wrap: (db: Database) => Database = (db) => db) {
    const test = await openTestDatabase(engine);
    opened.push(test);
    const db = test.db;
    await db.transaction((trx) => insertLease(db, trx, { reply: 7, userId: "u", owner: OWNER, epoch: 1 }));
    const commit = new GroupCommit({
      db: wrap(db),
      owner: OWNER,
      flushMs: 5,
      clock: systemClock,
      log: createLogger("silent"),
      metrics: createMetrics(),
    });
    const seen: { firstId: number; events: StreamEvent[] }[] = [];
    let fenced = 0;
    const log = new ReplyLog(
      commit,
      {
        reply: 7,
        epoch: 1,
        onCommitted: (firstId, events) => seen.push({ firstId, events }),
        onFenced: () => (fenced += 1),
        onOverflow: () => {},
      },
      1,
    );
    const stored = async () => eventsAfter(await readLog(db.kysely, 7, 1), 0);
    return { db, log, seen, stored, fenced: () => fenced };
  }

  const text = (events: readonly StreamEvent[]) =>
    events.map((event) => (event.type === "delta" ? event.data.v : event.type)).join("");

  it("shows nothing that is not stored, joins neighbouring text and numbers without a gap", async () => {
    const { log, seen, stored } = await setUp();
    for (const word of ["a ", "b ", "c ", "d "]) {
      log.append(growText(word));
      log.append(growText(word));
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
        if (failures-- > 0) throw new Error("the connection broke after COMMIT");
        return result;
      },
    }));
    log.append(growText("once "));
    await new Promise((resolve) => setTimeout(resolve, 50));
    log.append(growText("only"));
    await log.drained(5000);
    expect(text(await stored())).toBe("once only");
    expect(text(seen.flatMap((group) => group.events))).toBe("once only");
  });

  it("keeps the order when a commit fails before it happened", async () => {
    let failures = 2;
    const { log, stored } = await setUp((db) => ({
      ...db,
      transaction(work) {
        if (failures-- > 0) throw new Error("no connection");
        return db.transaction(work);
      },
    }));
    for (const word of ["one ", "two ", "three"]) {
      log.append(growText(word));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await log.drained(5000);
    expect(text(await stored())).toBe("one two three");
  });

  it("writes by itself what came while a commit was tried again", async () => {
    let failures = 1;
    const { log, stored } = await setUp((db) => ({
      ...db,
      transaction(work) {
        if (failures-- > 0) throw new Error("no connection");
        return db.transaction(work);
      },
    }));
    log.append(growText("first "));
    await new Promise((resolve) => setTimeout(resolve, 60));
    log.append(growText("second"));
    await expect.poll(async () => text(await stored())).toBe("first second");
  });

  it("is refused once another process has the lease, and says so once", async () => {
    const { db, log, stored, fenced, seen } = await setUp();
    log.append(growText("mine"));
    await log.drained(5000);
    await db.kysely.updateTable("reply_lease").set({ owner: "another", epoch: 2 }).execute();
    log.append(growText("too late"));
    await log.drained(5000);
    log.append(growText("much too late"));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(text(await stored())).toBe("mine");
    expect(seen).toHaveLength(1);
    expect(fenced()).toBe(1);
  });
});
