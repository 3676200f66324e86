import { expect, test } from "vitest";
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
