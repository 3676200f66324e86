import { Global } from "@plumb/protocol/wire/global-codes";
import { expect, test } from "vitest";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";

test("argon2id with 19 MiB, two passes and one lane, salted", async () => {
  const [one, two] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(one, "correct horse")).toBe(true);
  expect(await verifyPassword(one, "correct horse ")).toBe(false);
});

test("without a hash nothing fits, after the work of a comparison", async () => {
  expect(await verifyPassword(null, "")).toBe(false);
  expect(await verifyPassword(null, "correct horse")).toBe(false);
});

test("of too many at once those that would wait too long are refused with 42905, and the others are compared", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 160 }, () =>
      verifyPassword(null, "guess").catch((error: unknown) =>
        error instanceof GlobalRefusal ? [error.global.code, error.retryAfter] : error,
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === false)).toHaveLength(152);
  expect(outcomes.slice(152)).toEqual(Array.from({ length: 8 }, () => [Global.ServerBusy.code, 1]));
  expect(await verifyPassword(null, "guess")).toBe(false);
});
