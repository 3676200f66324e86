import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { Refusal } from "../../platform/refusal.ts";
import { beijingDay, chargeThinking, readQuota, refundThinking } from "./thinking-quota.ts";

// 2027-01-15T15:59:59Z is one second before midnight in Beijing.
const LAST_SECOND = Date.UTC(2027, 0, 15, 15, 59, 59);
const MIDNIGHT_SECS = Date.UTC(2027, 0, 15, 16) / 1000;

test("[ENG-026] the Beijing day changes at 16:00 UTC", () => {
  expect(beijingDay(LAST_SECOND)).toBe("20270115");
  expect(beijingDay(LAST_SECOND + 1000)).toBe("20270116");
});

describe.each(engines)("thinking quota on %s", (engine) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
  });
  afterEach(() => opened.close());
  const charge = (quota: number, nowMs = LAST_SECOND) =>
    opened.db.transaction((trx) => chargeThinking(trx, quota, "user", nowMs));

  test("[ENG-026] counts up to the quota, then refuses with the Quota; the next day is new", async () => {
    expect(await charge(2)).toBe("20270115");
    await charge(2);
    const refusal = await charge(2).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).refusal.code).toBe(15);
    expect((refusal as Refusal).data).toEqual({ quota: 2, used: 2, reset_at: MIDNIGHT_SECS });
    expect(await charge(2, LAST_SECOND + 1000)).toBe("20270116");
    expect(await readQuota(opened.db.kysely, 2, "user", LAST_SECOND + 1000)).toEqual({
      quota: 2,
      used: 1,
      reset_at: MIDNIGHT_SECS + 86_400,
    });
  });

  test("a refund goes to its day and never below 0", async () => {
    const day = await charge(5);
    await refundThinking(opened.db.kysely, "user", day);
    await refundThinking(opened.db.kysely, "user", day);
    expect((await readQuota(opened.db.kysely, 5, "user", LAST_SECOND)).used).toBe(0);
    await charge(5);
    expect((await readQuota(opened.db.kysely, 5, "user", LAST_SECOND)).used).toBe(1);
  });

  test("0 means no limit and is told as 2147483647", async () => {
    for (let count = 0; count < 60; count++) await charge(0);
    expect(await readQuota(opened.db.kysely, 0, "user", LAST_SECOND)).toMatchObject({
      quota: 2_147_483_647,
      used: 60,
    });
  });

  test("50 parallel charges never pass the quota together", async () => {
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => charge(7)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(7);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toBeInstanceOf(Refusal);
    expect((await readQuota(opened.db.kysely, 7, "user", LAST_SECOND)).used).toBe(7);
  });

  test("a charge whose transaction fails was none", async () => {
    const failing = opened.db.transaction(async (trx) => {
      await chargeThinking(trx, 5, "user", LAST_SECOND);
      throw new Error("no turn");
    });
    await expect(failing).rejects.toThrow("no turn");
    expect((await readQuota(opened.db.kysely, 5, "user", LAST_SECOND)).used).toBe(0);
  });
});
