import { Global } from "@plumb/protocol/wire/global-codes";
import { expect, test } from "vitest";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { hashPassword, isWeakHash, verifyPassword } from "./passwords.ts";

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
  expect(outcomes.filter((outcome) => outcome === false)).toHaveLength(154);
  expect(outcomes.slice(154)).toEqual(Array.from({ length: 6 }, () => [Global.ServerBusy.code, 1]));
  expect(await verifyPassword(null, "guess")).toBe(false);
});

test.each([
  ["$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", false],
  ["$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA", false],
  ["$argon2id$v=19$m=19455,t=2,p=1$c2FsdA$aGFzaA", true],
  ["$argon2id$v=19$m=65536,t=1,p=1$c2FsdA$aGFzaA", true],
  ["$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", true],
  ["$argon2id$v=16$m=19456,t=2,p=1$c2FsdA$aGFzaA", true],
  ["$2b$12$c2FsdA", true],
])("whether %s is weaker than a hash of today: %s", (passwordHash, weak) => {
  expect(isWeakHash(passwordHash)).toBe(weak);
});
