import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { plansOf } from "../../../test/plans-of.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { purgeLogs } from "./purge-logs.ts";

describe.each(engines)("the purge of stream logs on %s", (engine) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  test("forgets all that ended long ago, however many, and nothing that runs or ended just now", async () => {
    opened = await openTestDatabase(engine);
    const { kysely } = opened.db;
    const count = 120;
    const endedAt = (id: number) => (id === 1 ? null : id === 2 ? 5000 : 1000);
    const ids = Array.from({ length: count }, (_none, index) => index + 1);
    await kysely
      .insertInto("replies")
      .values(
        ids.map((id) => ({
          id,
          user_id: "u",
          session_id: "s",
          message_id: id,
          request_message_id: 1,
          client_stream_id: null,
          fingerprint: null,
          agent: "chat",
          model: "m",
          thinking_enabled: 0,
          search_enabled: 0,
          locale: "en_US",
          quota_day: null,
          produced_ms: 0,
          run_first_id: 1,
          started_at: 0,
          ended_at: endedAt(id),
          log_kept_since: endedAt(id),
        })),
      )
      .execute();
    await kysely
      .insertInto("stream_log")
      .values(
        ids.flatMap((reply) =>
          [1, 2].map((first_id) => ({ reply, epoch: 1, first_id, at: 0, events: "[]" })),
        ),
      )
      .execute();
    let turns = 0;
    let turn = setImmediate(function count() {
      turns += 1;
      turn = setImmediate(count);
    });
    const { db } = opened;
    let now = 0;
    const steps: number[] = [];
    const logs = async (): Promise<number> =>
      Number(
        (
          await kysely
            .selectFrom("stream_log")
            .select(({ fn }) => fn.countAll().as("n"))
            .execute()
        )[0]?.n,
      );
    // Every step takes a while, as on a slow disk.
    const slow: Parameters<typeof purgeLogs>[0] = {
      engine,
      forUpdateOfFree: db.forUpdateOfFree,
      async unsynced(work) {
        const before = await logs();
        const done = await db.unsynced(work);
        now += 100;
        steps.push((before - (await logs())) / 2);
        return done;
      },
    };
    await purgeLogs(slow, { monotonic: () => now }, 5000);
    clearImmediate(turn);
    // What waits on the network is served between the statements, of which none holds more than it must.
    expect(turns).toBeGreaterThanOrEqual(steps.length - 1);
    expect(steps[0]).toBe(10);
    expect(new Set(steps.slice(1, -1))).toEqual(new Set([1]));
    const left = await kysely.selectFrom("stream_log").select("reply").distinct().orderBy("reply").execute();
    expect(left).toEqual([{ reply: 1 }, { reply: 2 }]);
  });
});

// Other than SQLite, PostgreSQL keeps what was forgotten in its index until it vacuums.
test("the purge of stream logs walks over nothing that it has forgotten", async () => {
  const { db, close } = await openTestDatabase("postgres");
  try {
    // One that came meanwhile would hold what was forgotten in its snapshot, and the index would not let go of it.
    await sql`alter table replies set (autovacuum_enabled = off)`.execute(db.kysely);
    await sql`insert into replies (user_id, session_id, message_id, request_message_id, agent, model, thinking_enabled,
        search_enabled, locale, started_at, ended_at, log_kept_since)
      select 'u', 's', n, 1, 'chat', 'm', 0, 0, 'en_US', 0, n, n from generate_series(1, 5000) as number(n)`.execute(
      db.kysely,
    );
    await sql`analyze`.execute(db.kysely);
    const purge = (q: Queryable) =>
      purgeLogs({ ...db, unsynced: (work) => work(q) }, { monotonic: () => 0 }, 10_000);
    const looks = (await plansOf(db, purge, { measured: true })).filter((plan) => plan.startsWith("Limit"));
    const pages = looks.map((plan) => Number(/shared hit=(\d+)/u.exec(plan)?.[1]));
    expect(pages.length).toBeGreaterThan(100);
    expect(pages[0]).toBeGreaterThan(20);
    expect(pages.at(-1)).toBeLessThan(10);
  } finally {
    await close();
  }
});

test.each(["stream_log", "source_texts", "replies"] as const)(
  "the purge of stream logs waits for nobody who holds one in %s, and comes again",
  async (held) => {
    const { db, close } = await openTestDatabase("postgres");
    const { kysely } = db;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding = Promise.resolve();
    try {
      await sql`insert into replies (user_id, session_id, message_id, request_message_id, agent, model, thinking_enabled,
          search_enabled, locale, started_at, ended_at, log_kept_since)
        select 'u', 's', n, 1, 'chat', 'm', 0, 0, 'en_US', 0, n, n from generate_series(1, 20) as number(n)`.execute(
        kysely,
      );
      await sql`insert into stream_log (reply, epoch, first_id, at, events) select id, 1, 1, 0, '[]' from replies`.execute(
        kysely,
      );
      await sql`insert into source_texts (reply, cite_index, text) select id, 1, 'x' from replies`.execute(
        kysely,
      );
      await new Promise<void>((isHeld) => {
        holding = db.transaction(async (trx) => {
          const key = sql.ref(held === "replies" ? "id" : "reply");
          await sql`select 1 from ${sql.table(held)} where ${key} = 7 for update`.execute(trx);
          isHeld();
          await released;
        });
      });
      const due = async () =>
        (
          await kysely.selectFrom("replies").select("id").where("log_kept_since", "is not", null).execute()
        ).map(({ id }) => id);
      const clock = { monotonic: () => 0 };
      await purgeLogs(db, clock, 1000);
      expect(await due()).toEqual([7]);
      release();
      await holding;
      await purgeLogs(db, clock, 1000);
      expect(await due()).toEqual([]);
      for (const table of ["stream_log", "source_texts"] as const)
        expect(await kysely.selectFrom(table).select("reply").execute()).toEqual([]);
    } finally {
      release();
      await holding;
      await close();
    }
  },
);
