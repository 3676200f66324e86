import { afterEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { countBoth, countHit, uncountHit } from "./counter-store.ts";

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

  test("where all its hits were taken back a window begins with the next one", async () => {
    opened = await openTestDatabase(engine);
    const q = opened.db.kysely;
    const pause = { key: "pause", limit: { limit: 1, windowMs: 1000 } };
    const hit = (nowMs: number) => countHit(q, pause.key, pause.limit, nowMs);
    const both = (nowMs: number) => countBoth(q, pause, { key: "other", limit: LIMIT }, nowMs);
    for (const [start, count] of [
      [0, hit],
      [10_000, both],
    ] as const) {
      expect(await count(start)).toBe(null);
      await uncountHit(q, pause.key, pause.limit, start);
      expect([await count(start + 600), await count(start + 1599)]).toEqual([null, 1]);
    }
  });

  test("a clock that was a day ahead when hits were counted refuses nobody for a day", async () => {
    opened = await openTestDatabase(engine);
    const q = opened.db.kysely;
    const day = 86_400_000;
    const hit = (nowMs: number) => countHit(q, "key", LIMIT, nowMs);
    const both = (nowMs: number) =>
      countBoth(q, { key: "one", limit: LIMIT }, { key: "other", limit: LIMIT }, nowMs);
    for (const count of [hit, both]) {
      expect([await count(day), await count(day), await count(day)]).toEqual([null, null, 1000]);
      expect([await count(10), await count(20), await count(30)]).toEqual([null, null, 980]);
    }
    // Another process's clock is a little ahead of ours: its window is ours.
    expect([await hit(2000), await hit(2000), await hit(1500)]).toEqual([null, null, 1500]);
  });

  test("a hit on two keys counts on both, each by its own limit and window, or on neither", async () => {
    opened = await openTestDatabase(engine);
    const q = opened.db.kysely;
    const narrow = { key: "narrow", limit: { limit: 1, windowMs: 500 } };
    const wide = { key: "wide", limit: LIMIT };
    const counts = async () =>
      (await q.selectFrom("rate_counters").select(["key", "count"]).orderBy("key").execute()).map(
        ({ key, count }) => [key, Number(count)],
      );
    expect(await countBoth(q, wide, narrow, 0)).toBe(null);
    // The narrow one is full: the wide one stays as it was.
    expect(await countBoth(q, wide, narrow, 100)).toBe(400);
    expect(await counts()).toEqual([
      ["narrow", 1],
      ["wide", 1],
    ]);
    // The narrow one's window is over, the wide one's is not.
    expect(await countBoth(q, wide, narrow, 500)).toBe(null);
    expect(await countBoth(q, wide, { ...narrow, key: "another" }, 600)).toBe(400);
    expect(await counts()).toEqual([
      ["another", 0],
      ["narrow", 1],
      ["wide", 2],
    ]);
    expect(await countBoth(q, wide, narrow, 1000)).toBe(null);
    expect(await counts()).toEqual([
      ["another", 0],
      ["narrow", 1],
      ["wide", 1],
    ]);
  });
});
