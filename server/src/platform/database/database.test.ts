import { open } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { LogRow, Queryable } from "./database.ts";

async function insertLease(db: Queryable, reply: number, owner: string, epoch: number): Promise<void> {
  await db
    .insertInto("reply_lease")
    .values({ reply, user_id: "u", owner, epoch, renewed_at: 0, attempts: 0, stop_requested: 0 })
    .execute();
}

const row = (reply: number, epoch: number, first_id: number, events = "[]"): LogRow => ({
  reply,
  epoch,
  first_id,
  at: 1_800_000_000_123,
  events,
});

describe.each(engines)("database on %s", (engine) => {
  let test_: TestDatabase;
  beforeEach(async () => {
    test_ = await openTestDatabase(engine);
  });
  afterEach(() => test_.close());

  test("numbers of 53 bits, sums and counts come back as numbers, rows as ordinary objects", async () => {
    const { db } = test_;
    await db.kysely
      .insertInto("rate_counters")
      .values({ key: "k", window_start: Number.MAX_SAFE_INTEGER, count: 2, expires_at: 1 })
      .execute();
    const stored = await db.kysely.selectFrom("rate_counters").selectAll().executeTakeFirstOrThrow();
    expect(stored).toStrictEqual({
      key: "k",
      window_start: Number.MAX_SAFE_INTEGER,
      count: 2,
      expires_at: 1,
    });
    const numbers = await db.kysely
      .selectFrom("rate_counters")
      .select((eb) => [eb.fn.sum<number>("count").as("sum"), eb.fn.countAll<number>().as("rows")])
      .executeTakeFirstOrThrow();
    expect(numbers).toStrictEqual({ sum: 2, rows: 1 });
  });

  test("a column that was added since is in what the same query reads", async () => {
    const { kysely } = test_.db;
    const key = { key: "k", window_start: 1, count: 2, expires_at: 3 };
    await kysely.insertInto("rate_counters").values(key).execute();
    const read = () => kysely.selectFrom("rate_counters").selectAll().executeTakeFirstOrThrow();
    expect(await read()).toEqual(key);
    await sql`alter table rate_counters add column of_later integer default 7`.execute(kysely);
    expect(await read()).toEqual({ ...key, of_later: 7 });
  });

  test("what is worth no wait for the disk is stored too, and the commits after it are synced again", async () => {
    const { db } = test_;
    const counter = (key: string) => ({ key, window_start: 0, count: 1, expires_at: 1 });
    const store = (key: string) =>
      db.unsynced((q) => q.insertInto("rate_counters").values(counter(key)).execute());
    await store("first");
    await expect(store("first")).rejects.toThrow(/unique/i);
    await Promise.all([store("second"), store("third")]);
    const keys = await db.kysely.selectFrom("rate_counters").select("key").orderBy("key").execute();
    expect(keys.map(({ key }) => key)).toEqual(["first", "second", "third"]);
    if (engine === "sqlite") {
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db.kysely);
      expect(rows).toEqual([{ synchronous: 2 }]);
    }
  });

  test("a transaction that is worth no wait for the disk is whole or not there, and tells after its commit", async () => {
    const { db } = test_;
    const heard: string[] = [];
    await db.listen("kinds", (payload) => void heard.push(payload));
    await db.unsyncedTransaction(async (trx) => {
      await insertLease(trx, 1, "a", 1);
      await db.notify(trx, "kinds", "first");
      expect(heard).toEqual([]);
    });
    const broken = db.unsyncedTransaction(async (trx) => {
      await insertLease(trx, 2, "a", 1);
      await db.notify(trx, "kinds", "second");
      throw new Error("broken");
    });
    await expect(broken).rejects.toThrow("broken");
    const rows = await db.kysely.selectFrom("reply_lease").select("reply").execute();
    expect(rows.map(({ reply }) => Number(reply))).toEqual([1]);
    await expect.poll(() => heard).toEqual(["first"]);
    if (engine === "sqlite") {
      const { rows: now } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db.kysely);
      expect(now).toEqual([{ synchronous: 2 }]);
    }
  });

  test("what many commits leave to the disk is brought there aside, before it becomes much", async () => {
    const { db } = test_;
    const handle = await open(join(test_.dataDir, "probe"), "w");
    const datasync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "datasync");
    try {
      for (let n = 1; n <= 20; n += 1) await db.unsyncedTransaction((trx) => insertLease(trx, n, "a", 1));
      expect(datasync).toHaveBeenCalledTimes(engine === "sqlite" ? 2 : 0);
      await Promise.all(
        [21, 22, 23, 24].map((n) => db.unsyncedTransaction((trx) => insertLease(trx, n, "a", 1))),
      );
      expect(datasync).toHaveBeenCalledTimes(engine === "sqlite" ? 3 : 0);
    } finally {
      datasync.mockRestore();
      await handle.close();
    }
  });

  test("updates and deletes tell how many rows they changed", async () => {
    const { db } = test_;
    await insertLease(db.kysely, 1, "a", 1);
    await insertLease(db.kysely, 2, "a", 1);
    const updated = await db.kysely
      .updateTable("reply_lease")
      .set({ owner: "b" })
      .where("owner", "=", "a")
      .executeTakeFirst();
    expect(updated.numUpdatedRows).toBe(2n);
    const deleted = await db.kysely.deleteFrom("reply_lease").where("reply", "=", 2).executeTakeFirst();
    expect(deleted.numDeletedRows).toBe(1n);
  });

  test("a transaction commits its work and rolls it back on a throw", async () => {
    const { db } = test_;
    await db.transaction(async (trx) => insertLease(trx, 1, "a", 1));
    await expect(
      db.transaction(async (trx) => {
        await insertLease(trx, 2, "a", 1);
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    const left = await db.kysely.selectFrom("reply_lease").select("reply").execute();
    expect(left).toEqual([{ reply: 1 }]);
  });

  test("transactions and single statements at the same time all come to their turn", async () => {
    const { db } = test_;
    await insertLease(db.kysely, 1, "a", 0);
    const raise = () =>
      db.transaction(async (trx) => {
        const { epoch } = await trx
          .selectFrom("reply_lease")
          .select("epoch")
          .where("reply", "=", 1)
          .modifyEnd(db.forUpdate)
          .executeTakeFirstOrThrow();
        await new Promise((resolve) => setImmediate(resolve));
        await trx
          .updateTable("reply_lease")
          .set({ epoch: epoch + 1 })
          .where("reply", "=", 1)
          .execute();
      });
    await Promise.all([
      ...Array.from({ length: 20 }, raise),
      db.kysely.selectFrom("users").selectAll().execute(),
    ]);
    const { epoch } = await db.kysely.selectFrom("reply_lease").select("epoch").executeTakeFirstOrThrow();
    expect(epoch).toBe(20);
  });

  test("the outer database inside a transaction throws instead of waiting for ever", async () => {
    const { db } = test_;
    await expect(
      db.transaction(async () => db.kysely.selectFrom("users").selectAll().execute()),
    ).rejects.toThrow("outer database");
    await expect(db.transaction(async () => db.transaction(async () => 1))).rejects.toThrow("outer database");
    expect(await db.transaction(async () => 1)).toBe(1);
  });

  test("work that a transaction leaves behind may use the database after it", async () => {
    const { db } = test_;
    const { promise: later, resolve: go } = withResolvers();
    let left: Promise<unknown> = Promise.resolve();
    await db.transaction(async () => {
      left = later.then(() => db.kysely.selectFrom("users").selectAll().execute());
    });
    go();
    expect(await left).toEqual([]);
  });

  test("the database's clock tells whole milliseconds near ours", async () => {
    const { rows } = await sql<{ now: number }>`select ${test_.db.nowMs} as now`.execute(test_.db.kysely);
    const now = rows[0]?.now ?? 0;
    expect(Number.isInteger(now)).toBe(true);
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  });

  describe("notifications", () => {
    test("are told after the commit, in order, to every listener of the channel and to no other", async () => {
      const { db } = test_;
      const heard: string[] = [];
      const all = withResolvers();
      await db.listen("one", (payload) => {
        heard.push(`a:${payload}`);
        if (payload === "3") all.resolve();
      });
      const stop = await db.listen("one", (payload) => heard.push(`b:${payload}`));
      await db.listen("two", (payload) => heard.push(`two:${payload}`));
      stop();
      await db.transaction(async (trx) => {
        await db.notify(trx, "one", "1");
        await db.notify(trx, "one", "2");
        expect(heard).toEqual([]);
      });
      await db.notify(db.kysely, "one", "3");
      await all.promise;
      expect(heard).toEqual(["a:1", "a:2", "a:3"]);
    });

    test("of a transaction that rolled back are never told", async () => {
      const { db } = test_;
      const heard: string[] = [];
      const told = withResolvers();
      await db.listen("one", (payload) => {
        heard.push(payload);
        told.resolve();
      });
      await expect(
        db.transaction(async (trx) => {
          await db.notify(trx, "one", "lost");
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
      await db.notify(db.kysely, "one", "kept");
      await told.promise;
      expect(heard).toEqual(["kept"]);
    });
  });

  describe("the stream log", () => {
    const stored = async () =>
      test_.db.kysely
        .selectFrom("stream_log")
        .select(["reply", "epoch", "first_id", "at", "events"])
        .orderBy("id")
        .execute();

    test("takes rows of several replies in one statement and keeps every character", async () => {
      const { db } = test_;
      await insertLease(db.kysely, 1, "me", 1);
      await insertLease(db.kysely, 2, "me", 4);
      const events = JSON.stringify([{ v: 'quote " back \\ null \u0000 half \ud800 汉字 😀 \u2028' }]);
      const rows = [row(1, 1, 1, events), row(1, 1, 9), row(2, 4, 3, "[1]")];
      const appended = await db.transaction((trx) => db.appendLog(trx, "me", rows));
      expect([...appended].sort((a, b) => a - b)).toEqual([1, 2]);
      expect(await stored()).toEqual(rows);
    });

    test("refuses an old epoch, another owner and a lease that is gone, and appends the rest", async () => {
      const { db } = test_;
      await insertLease(db.kysely, 1, "me", 2);
      await insertLease(db.kysely, 2, "other", 1);
      await insertLease(db.kysely, 4, "me", 1);
      const appended = await db.transaction((trx) =>
        db.appendLog(trx, "me", [row(1, 1, 1), row(2, 1, 1), row(3, 1, 1), row(4, 1, 1)]),
      );
      expect([...appended]).toEqual([4]);
      expect((await stored()).map((one) => one.reply)).toEqual([4]);
    });

    test("appends nothing when given nothing", async () => {
      const { db } = test_;
      expect(await db.transaction((trx) => db.appendLog(trx, "me", []))).toEqual(new Set());
    });
  });
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
