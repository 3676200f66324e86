import { afterEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { countHit, uncountHit } from "./counter-store.ts";

const LIMIT = { limit: 2, windowMs: 1000 };

describe.each(engines)("counters on %s", (engine) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  test("a hit is taken back from its own window alone", async () => {
    opened = await openTestDatabase(engine);
    const q = opened.db.kysely;
    const hit = (nowMs: number) => countHit(q, "key", LIMIT, nowMs);
    const takeBack = (countedAtMs: number) => uncountHit(q, "key", LIMIT, countedAtMs);

    expect([await hit(0), await hit(10), await hit(20)]).toEqual([null, null, 980]);
    await takeBack(10);
    expect([await hit(30), await hit(40)]).toEqual([null, 960]);

    expect([await hit(1000), await hit(1001)]).toEqual([null, null]);
    await takeBack(30);
    expect(await hit(1002)).toBe(998);
    await takeBack(1001);
    expect(await hit(1003)).toBe(null);
  });

  test("what was never counted is not taken back", async () => {
    opened = await openTestDatabase(engine);
    const q = opened.db.kysely;
    await uncountHit(q, "key", LIMIT, 0);
    for (const expected of [null, null, 1000]) expect(await countHit(q, "key", LIMIT, 0)).toBe(expected);
  });
});
