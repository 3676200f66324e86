import { afterEach, describe, expect, it } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { preparedQuery } from "./prepared-query.ts";

let database: TestDatabase;
afterEach(() => database.close());

describe.each(engines)("a prepared query on %s", (engine) => {
  it("is built once and run with the values of each call, in a transaction too", async () => {
    database = await openTestDatabase(engine);
    const { db } = database;
    let built = 0;
    const insert = preparedQuery<
      { key: string; least: number; count: number },
      { key: string; count: number; window_start: number }
    >((q, value) => {
      built += 1;
      return q
        .insertInto("rate_counters")
        .values({ key: value("key"), window_start: 1, count: value("count"), expires_at: value("least") })
        .returning(["key", "count", "window_start"]);
    });
    expect(await insert(db.kysely, { key: "a", least: 3, count: 4 })).toEqual([
      { key: "a", count: 4, window_start: 1 },
    ]);
    await db.transaction(async (trx) => {
      expect(await insert(trx, { key: "b", least: 5, count: 6 })).toEqual([
        { key: "b", count: 6, window_start: 1 },
      ]);
    });
    const rows = await db.kysely.selectFrom("rate_counters").selectAll().orderBy("key").execute();
    expect(rows).toEqual([
      { key: "a", window_start: 1, count: 4, expires_at: 3 },
      { key: "b", window_start: 1, count: 6, expires_at: 5 },
    ]);
    expect(built).toBe(1);
  });
});
