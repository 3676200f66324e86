import { expect, test } from "vitest";
import { isCommonPassword } from "./common-passwords.ts";

test.each([
  ["12345678", true],
  ["password", true],
  ["PassWord1", true],
  ["qwertyuiop", true],
  ["constructor", false],
  ["correct horse battery", false],
  ["Kx7-lantern-ridge", false],
])("%j is one that guessers try first: %s", async (password, common) => {
  expect(await isCommonPassword(password)).toBe(common);
});
