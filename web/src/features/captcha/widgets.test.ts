import { expect, test } from "vitest";
import { triesAgain } from "./widgets.ts";

test.each([
  ["300030", true],
  ["600010", true],
  ["102000", true],
  ["110600", true],
  ["110620", true],
  ["110100", false],
  ["110200", false],
  ["400020", false],
  ["200100", false],
  [undefined, false],
])("Turnstile tries again by itself after %s: %s [AUTH-072]", (code, again) => {
  expect(triesAgain(code)).toBe(again);
});
