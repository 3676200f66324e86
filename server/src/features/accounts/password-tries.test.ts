import { Global } from "@plumb/protocol/wire/global-codes";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { type PasswordGuess, PasswordTries } from "./password-tries.ts";

describe.each(engines)("password tries on %s", (engine) => {
  let opened: TestDatabase;
  let clock: TestClock;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    clock = new TestClock();
  });
  afterEach(() => opened.close());
  const owner: PasswordGuess = { account: "owner", network: "10.0.0.1", device: null };

  /** Guesses and tells what came of it: whether it was right, or code and Retry-After of the refusal. */
  async function guess(
    change: Partial<PasswordGuess> = {},
    compare = async () => false,
  ): Promise<boolean | (number | undefined)[]> {
    try {
      return await new PasswordTries({ db: opened.db, ports: { clock } }).guess(
        { ...owner, ...change },
        compare,
      );
    } catch (error) {
      if (error instanceof GlobalRefusal) return [error.global.code, error.retryAfter];
      throw error;
    }
  }
  const TOO_MANY = Global.OperationTooFrequent.code;

  test("ten failures of one account and network, over processes and parallel guesses, until 15 minutes are over", async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => guess()));
    expect(outcomes.filter((outcome) => outcome === false)).toHaveLength(10);
    expect(outcomes.filter(Array.isArray)).toHaveLength(30);
    clock.nowMs += 60_000;
    expect(await guess()).toEqual([TOO_MANY, 14 * 60]);
    expect(await guess({ network: "10.0.0.2" })).toBe(false);
    expect(await guess({ account: "other" })).toBe(false);
    clock.nowMs += 14 * 60_000;
    expect(await guess()).toBe(false);
  });

  test("twenty failures of one account from everywhere, also in parallel; refused ones count nowhere", async () => {
    const from = (index: number) => guess({ network: `10.0.1.${index}` });
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_none, index) => from(index)));
    expect(outcomes.filter((outcome) => outcome === false)).toHaveLength(20);
    expect(await guess({ network: "10.9.9.9" })).toEqual([TOO_MANY, 15 * 60]);
    expect(await guess({ account: "other" })).toBe(false);
    const rows = await opened.db.kysely.selectFrom("rate_counters").select("count").execute();
    expect(rows.map((row) => row.count).reduce((sum, count) => sum + count, 0)).toBe(42);
  });

  test("a known browser has ten failures of its own, whatever others did", async () => {
    await Promise.all(Array.from({ length: 30 }, (_none, index) => guess({ network: `10.0.1.${index}` })));
    for (let tries = 0; tries < 10; tries += 1) expect(await guess({ device: "mine" })).toBe(false);
    expect(await guess({ device: "mine" })).toEqual([TOO_MANY, 15 * 60]);
    expect(await guess({ device: "my other one" })).toBe(false);
  });

  test("a right password and one that was not compared are no failures", async () => {
    for (let tries = 0; tries < 25; tries += 1) expect(await guess({}, async () => true)).toBe(true);
    for (let tries = 0; tries < 25; tries += 1) {
      await expect(guess({}, () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
    }
    expect(await guess()).toBe(false);
  });
});
