// The order in which accounts take turns, on a clock that the test moves.
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { Database } from "../database/database.ts";
import { claimableJobsInTurn, finishJob, insertJob, jobLeases } from "./job-store.ts";
import { beginTurn, chargeTurn, forgetTurns } from "./turn-store.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const kind = "work";

describe.each(engines)("turns on %s", (engine) => {
  let data: TestDatabase;
  let clock: TestClock;
  let db: Database;
  beforeEach(async () => {
    data = await openTestDatabase(engine);
    clock = new TestClock();
    // As the database is, but for its clock.
    db = Object.create(data.db, { nowMs: { get: () => sql.lit(clock.nowMs) } }) as Database;
  });
  afterEach(() => data.close());

  const add = (user: string, subject: string, weight = 0) =>
    db.transaction(async (trx) => {
      await insertJob(db, trx, { subject, kind, user_id: user });
      await trx.updateTable("jobs").set({ weight }).where("subject", "=", subject).execute();
    });
  const waiting = (forShortPlace = false, exceptUsers: readonly string[] = []) =>
    claimableJobsInTurn(db, { kind, owner: "me", timeoutMs: MINUTE, limit: 100, exceptUsers, forShortPlace });
  const order = async (forShortPlace = false) => (await waiting(forShortPlace)).map(({ subject }) => subject);

  /** Does the job whose turn it is, for so long; returns its subject. */
  async function doNext(ms: number, owner = "me"): Promise<string> {
    const [seen] = await waiting();
    const job = seen === undefined ? undefined : await jobLeases.claim(db, seen, owner);
    if (job === undefined) throw new Error("nothing waits");
    await beginTurn(db, job);
    clock.nowMs += ms;
    await db.transaction((trx) => finishJob(db, trx, job));
    await chargeTurn(db, job, { ms, isLong: false });
    return job.subject;
  }

  it("go by when the last job of an account began: the oldest backlog does not go first again and again", async () => {
    for (let at = 10; at < 40; at += 1) {
      await add("old", `old-${at}`);
      clock.nowMs += 1;
    }
    clock.nowMs += 60 * MINUTE;
    for (let at = 10; at < 13; at += 1) await add("middle", `middle-${at}`);
    const done = [await doNext(10), await doNext(10), await doNext(10)];
    await add("new", "new-10");
    // Another process goes on in the same order.
    for (let at = 0; at < 4; at += 1) done.push(await doNext(10, "another"));
    expect(done).toEqual(["old-10", "middle-10", "old-11", "new-10", "middle-11", "old-12", "middle-12"]);
  });

  it("an account that used much lately goes behind, until it is forgotten", async () => {
    for (const at of [1, 2, 3]) await add("heavy", `heavy-${at}`);
    expect(await doNext(10 * SECOND)).toBe("heavy-1");
    for (const at of [1, 2, 3, 4, 5]) await add("light", `light-${at}`);
    // Each began after the heavy one did.
    for (const at of [1, 2, 3]) expect(await doNext(200)).toBe(`light-${at}`);
    clock.nowMs += 7 * MINUTE;
    expect(await doNext(200)).toBe("light-4");
    // 10 s are under 2 s after 8 minutes.
    clock.nowMs += MINUTE + SECOND;
    expect(await doNext(200)).toBe("heavy-2");
  });

  it("between two that used much, the one goes first that used less", async () => {
    for (const user of ["most", "more", "much"]) for (const at of [1, 2]) await add(user, `${user}-${at}`);
    for (const [user, seconds] of [
      ["most", 20],
      ["more", 10],
      ["much", 5],
    ] as const) {
      await beginTurn(db, { user_id: user, kind });
      await chargeTurn(db, { user_id: user, kind }, { ms: seconds * SECOND, isLong: false });
    }
    expect(await order()).toEqual(["much-1", "much-2", "more-1", "more-2", "most-1", "most-2"]);
    // What is remembered is bounded: half an hour after the longest work an account is as any other.
    await chargeTurn(db, { user_id: "most", kind }, { ms: 60 * MINUTE, isLong: false });
    clock.nowMs += 27 * MINUTE;
    expect(await order(true)).not.toContain("most-1");
    clock.nowMs += MINUTE + SECOND;
    expect(await order(true)).toContain("most-1");
  });

  it("among accounts that used little the cheaper job goes first", async () => {
    await add("a", "costly", 3);
    await add("b", "cheap", 0);
    await add("c", "middle", 1);
    expect(await order()).toEqual(["cheap", "middle", "costly"]);
    await beginTurn(db, { user_id: "b", kind });
    await chargeTurn(db, { user_id: "b", kind }, { ms: 3 * SECOND, isLong: false });
    expect(await order()).toEqual(["middle", "costly", "cheap"]);
  });

  it("a short place is for accounts that used little, and not for what was broken off", async () => {
    for (const user of ["heavy", "light", "none", "broken"]) await add(user, `of-${user}`);
    for (const [user, ms] of [
      ["heavy", 2000],
      ["light", 1999],
    ] as const) {
      await beginTurn(db, { user_id: user, kind });
      await chargeTurn(db, { user_id: user, kind }, { ms, isLong: false });
    }
    await data.db.kysely.updateTable("jobs").set({ is_long: 1 }).where("subject", "=", "of-broken").execute();
    expect((await order(true)).toSorted()).toEqual(["of-light", "of-none"]);
    expect(await order()).toHaveLength(4);
    // What was broken off is charged more than it took.
    await chargeTurn(db, { user_id: "none", kind }, { ms: 700, isLong: true });
    expect(await order(true)).toContain("of-none");
    await beginTurn(db, { user_id: "none", kind });
    await chargeTurn(db, { user_id: "none", kind }, { ms: 700, isLong: true });
    expect(await order(true)).toEqual(["of-light"]);
    expect(await waiting(true, ["light"])).toEqual([]);
  });

  it("what is long ago is deleted", async () => {
    await beginTurn(db, { user_id: "a", kind });
    clock.nowMs += 60 * MINUTE;
    await beginTurn(db, { user_id: "b", kind });
    await forgetTurns(db, clock.nowMs + 61 * MINUTE);
    const rows = await data.db.kysely.selectFrom("job_turns").select("user_id").execute();
    expect(rows).toEqual([{ user_id: "b" }]);
  });
});
