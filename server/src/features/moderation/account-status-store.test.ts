import { afterEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { bannedAmong, setBannedAt } from "./account-status-store.ts";

describe.each(engines)("bans on %s", (engine) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());
  const addUser = (id: string) =>
    opened.db.kysely
      .insertInto("users")
      .values({
        id,
        last_seq_id: 0,
        training_allowed: 0,
        under_review: 0,
        created_at: 1,
      })
      .execute();

  test("tells the banned ones of many users, and a lifted ban no more", async () => {
    opened = await openTestDatabase(engine);
    const q = opened.db.kysely;
    for (const id of ["a", "b", "c"]) await addUser(id);
    expect(await setBannedAt(q, "a", 5)).toBe(true);
    expect(await setBannedAt(q, "c", 5)).toBe(true);
    expect(await setBannedAt(q, "nobody", 5)).toBe(false);
    const strangers = Array.from({ length: 1100 }, (_none, index) => `stranger ${index}`);
    expect(await bannedAmong(q, ["a", "b", ...strangers, "c", "a"])).toEqual(new Set(["a", "c"]));
    await setBannedAt(q, "a", null);
    expect(await bannedAmong(q, ["a", "b", "c"])).toEqual(new Set(["c"]));
    expect(await bannedAmong(q, [])).toEqual(new Set());
  });
});
