// What a purge costs when there is nothing to do: a look into an index that holds only what can be purged.
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plansOf } from "../../../test/plans-of.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { type PurgeDeps, purgeSessions, purgeSomeLogs } from "./purge-store.ts";

const ROWS = 5000;
const NOW = 1_800_000_000_000;
const lives = { emptySessionLifeSecs: 60, deletedSessionMarkSecs: 60 };

/** Steps that take no time. */
const on = ({ engine, forUpdateOfFree }: Database, q: Queryable): PurgeDeps => ({
  db: { unsynced: (work) => work(q), engine, forUpdateOfFree },
  clock: { now: () => NOW, monotonic: () => 0 },
});

describe.each(engines)("the purge of old data on %s", (engine) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    const { kysely } = opened.db;
    const numbers =
      engine === "sqlite"
        ? sql`with recursive number(n) as (select 1 union all select n + 1 from number where n < ${ROWS}) select n from number`
        : sql`select n from generate_series(1, ${sql.lit(ROWS)}) as number(n)`;
    await sql`insert into replies (user_id, session_id, message_id, request_message_id, agent, model, thinking_enabled,
        search_enabled, locale, started_at, ended_at)
      select 'u', 's', n, 1, 'chat', 'm', 0, 0, 'en_US', 0, n from (${numbers}) as numbers`.execute(kysely);
    await sql`insert into sessions (id, user_id, seq_id, agent, title_type, version, current_message_id, last_message_id,
        inserted_at, updated_at)
      select 's' || n, 'u', n, 'chat', 'SYSTEM', 1, 2, 2, 0, n from (${numbers}) as numbers`.execute(kysely);
    await sql`analyze`.execute(kysely);
  });
  afterEach(() => opened.close());

  test("reads no old reply and no old session when there is nothing to do", async () => {
    const { db } = opened;
    const plans = await plansOf(db, async (q) => {
      await purgeSessions(on(opened.db, q), lives);
      await purgeSomeLogs(opened.db, q, { from: 0, before: NOW }, 50);
    });
    expect(plans).toHaveLength(3);
    for (const [index, name] of ["sessions_empty", "sessions_deleted", "replies_log_kept"].entries()) {
      expect(plans[index]).toContain(name);
      // No walk through a whole table.
      expect(plans[index]).not.toMatch(/\bSCAN \w+$|Seq Scan/mu);
    }
  });

  test("finds what is due by the same indexes", async () => {
    const { db } = opened;
    await db.kysely.updateTable("replies").set({ log_kept_since: 1 }).where("id", "<=", 60).execute();
    await db.kysely.updateTable("replies").set({ ended_at: null }).where("id", "=", 7).execute();
    await db.kysely
      .insertInto("stream_log")
      .values([1, 7, 60, 61].map((reply) => ({ reply, epoch: 1, first_id: 1, at: 0, events: "[]" })))
      .execute();
    await db.kysely
      .updateTable("sessions")
      .set({ current_message_id: null })
      .where("seq_id", "=", 3)
      .execute();
    await db.kysely.updateTable("sessions").set({ deleted_at: 5 }).where("seq_id", "=", 4).execute();
    const plans = await plansOf(db, async (q) => {
      await purgeSessions(on(opened.db, q), lives);
      expect(await purgeSomeLogs(opened.db, q, { from: 0, before: NOW }, 50)).toBe(1);
      expect(await purgeSomeLogs(opened.db, q, { from: 1, before: NOW }, 50)).toBe(null);
    });
    for (const plan of plans)
      expect(plan).not.toMatch(/\bSCAN (?:replies|sessions)$|Seq Scan on (?:replies|sessions)/mu);
    const logs = await db.kysely.selectFrom("stream_log").select("reply").orderBy("reply").execute();
    // The seventh runs again, the last was forgotten before.
    expect(logs).toEqual([{ reply: 7 }, { reply: 61 }]);
    const kept = await db.kysely
      .selectFrom("replies")
      .select("id")
      .where("log_kept_since", "is not", null)
      .execute();
    expect(kept).toEqual([{ id: 7 }]);
    const sessions = await db.kysely
      .selectFrom("sessions")
      .select("seq_id")
      .where("seq_id", "in", [3, 4, 5])
      .execute();
    expect(sessions).toEqual([{ seq_id: 5 }]);
  });

  test("forgets all sessions that are due, however many, and lets others in between", async () => {
    const { db } = opened;
    await db.kysely
      .updateTable("sessions")
      .set({ current_message_id: null })
      .where("seq_id", "<=", 1000)
      .execute();
    await db.kysely
      .updateTable("sessions")
      .set({ deleted_at: 5 })
      .where("seq_id", ">", 1000)
      .where("seq_id", "<=", 2000)
      .execute();
    let turns = 0;
    let turn = setImmediate(function count() {
      turns += 1;
      turn = setImmediate(count);
    });
    const statements = await plansOf(db, (q) => purgeSessions(on(opened.db, q), lives));
    clearImmediate(turn);
    // Of each kind 10, 20, 40, 80 and 160, then 200 a statement.
    expect(statements.length).toBe(18);
    expect(turns).toBeGreaterThanOrEqual(16);
    const left = await db.kysely
      .selectFrom("sessions")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("seq_id").as("first")])
      .executeTakeFirst();
    expect(left).toEqual({ count: ROWS - 2000, first: 2001 });
  });

  test.runIf(engine === "postgres")("waits for nobody who holds one, and comes again", async () => {
    const { db } = opened;
    await db.kysely.updateTable("sessions").set({ deleted_at: 5 }).where("seq_id", "<=", 300).execute();
    const left = async () =>
      (
        await db.kysely.selectFrom("sessions").select("seq_id").where("deleted_at", "is not", null).execute()
      ).map((row) => row.seq_id);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding = Promise.resolve();
    await new Promise<void>((isHeld) => {
      holding = db.transaction(async (trx) => {
        await trx
          .selectFrom("sessions")
          .select("id")
          .where("seq_id", "=", 7)
          .modifyEnd(db.forUpdate)
          .execute();
        isHeld();
        await released;
      });
    });
    try {
      await purgeSessions(on(db, db.kysely), lives);
      expect(await left()).toEqual([7]);
    } finally {
      release();
      await holding;
    }
    await purgeSessions(on(db, db.kysely), lives);
    expect(await left()).toEqual([]);
  });
});
