// A claim and an append that meet: on PostgreSQL both run at the same time.
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { statementsThatWait } from "../../../test/lock-waits.ts";
import type { Database } from "./database.ts";

describe("append and claim at the same time", () => {
  let opened: TestDatabase;
  let owner: Database;
  let claimer: Database;

  beforeEach(async () => {
    opened = await openTestDatabase("postgres");
    owner = opened.db;
    claimer = await opened.openAnother();
    await owner.kysely
      .insertInto("reply_lease")
      .values(
        [1, 2, 3].map((reply) => ({
          reply,
          user_id: "u",
          owner: "old",
          epoch: 1,
          renewed_at: 0,
          attempts: 0,
          stop_requested: 0,
        })),
      )
      .execute();
  });
  afterEach(async () => {
    await claimer.close();
    await opened.close();
  });

  const claim = (trx: Parameters<Parameters<Database["transaction"]>[0]>[0], reply: number) =>
    trx
      .updateTable("reply_lease")
      .set((eb) => ({ owner: "new", epoch: eb("epoch", "+", 1) }))
      .where("reply", "=", reply)
      .execute();
  const rowOf = (reply: number, first_id = 1) => ({ reply, epoch: 1, first_id, at: 0, events: "[]" });
  /** Resolves when some statement of the database waits for a lock. */
  const someoneWaits = async (): Promise<void> => {
    while ((await statementsThatWait(claimer.kysely)) === 0);
  };

  test("an append that meets a running claim waits for it and is then fenced, the other replies are not", async () => {
    let appended: Promise<Set<number>> = Promise.resolve(new Set());
    let done = false;
    await claimer.transaction(async (trx) => {
      await claim(trx, 2);
      appended = owner
        .transaction((mine) => owner.appendLog(mine, "old", [rowOf(1), rowOf(2), rowOf(3)]))
        .finally(() => {
          done = true;
        });
      for (let waiting = false; !waiting;) {
        const found = await sql`select 1 from pg_locks where not granted`.execute(trx);
        waiting = found.rows.length > 0;
      }
      expect(done).toBe(false);
    });
    expect([...(await appended)].sort((a, b) => a - b)).toEqual([1, 3]);
    const stored = await owner.kysely.selectFrom("stream_log").select("reply").orderBy("reply").execute();
    expect(stored).toEqual([{ reply: 1 }, { reply: 3 }]);
  });

  test("a claim that meets a running append waits for it and sees its rows", async () => {
    let seen: Promise<number> = Promise.resolve(-1);
    await owner.transaction(async (trx) => {
      expect([...(await owner.appendLog(trx, "old", [rowOf(2)]))]).toEqual([2]);
      seen = claimer.transaction(async (mine) => {
        await claim(mine, 2);
        const rows = await mine.selectFrom("stream_log").select("id").where("reply", "=", 2).execute();
        return rows.length;
      });
      await someoneWaits();
    });
    expect(await seen).toBe(1);
    expect(await owner.transaction((trx) => owner.appendLog(trx, "old", [rowOf(2, 2)]))).toEqual(new Set());
  });

  test("under many appends and claims no row of an old epoch follows a claim", async () => {
    const claimed = new Map<number, number>();
    let next = 1;
    const append = async (): Promise<void> => {
      for (let round = 0; round < 40; round++) {
        const first = next++;
        await owner.transaction((trx) =>
          owner.appendLog(trx, "old", [rowOf(3, first), rowOf(1, first), rowOf(2, first)]),
        );
      }
    };
    const claimAll = async (): Promise<void> => {
      for (const reply of [2, 3, 1]) {
        const rows = await claimer.transaction(async (trx) => {
          await claim(trx, reply);
          return (await trx.selectFrom("stream_log").select("id").where("reply", "=", reply).execute())
            .length;
        });
        claimed.set(reply, rows);
      }
    };
    await Promise.all([append(), append(), claimAll()]);
    for (const reply of [1, 2, 3]) {
      const rows = await owner.kysely
        .selectFrom("stream_log")
        .select("id")
        .where("reply", "=", reply)
        .execute();
      expect([reply, rows.length]).toEqual([reply, claimed.get(reply)]);
    }
  });
});

describe("the listening connection", () => {
  test("is made again when it breaks", async () => {
    const opened = await openTestDatabase("postgres");
    try {
      const heard: string[] = [];
      await opened.db.listen("ch", (payload) => heard.push(payload));
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen%' and pid <> pg_backend_pid()`.execute(
        opened.db.kysely,
      );
      while (heard.length === 0) {
        await opened.db.notify(opened.db.kysely, "ch", "again");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(heard[0]).toBe("again");
    } finally {
      await opened.close();
    }
  });
});
