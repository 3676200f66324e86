import { expect, test } from "vitest";
import { codeOf, messageOf } from "./error-words.ts";

test.each([
  [Object.assign(new Error("no"), { code: "ENOENT" }), "ENOENT", "no"],
  [new Error("no"), undefined, "no"],
  [Object.assign(new Error("no"), { code: 20 }), undefined, "no"],
  ["no", undefined, "no"],
  [null, undefined, "null"],
])("%s: the code is %s, the words are %s", (error, code, message) => {
  expect(codeOf(error)).toBe(code);
  expect(messageOf(error)).toBe(message);
});
