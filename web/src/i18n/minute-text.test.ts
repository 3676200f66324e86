import { expect, test } from "vitest";
import { minuteText } from "./minute-text.ts";

test.each([
  [new Date(2026, 2, 1, 4, 5, 59), "2026-03-01 04:05"],
  [new Date(2026, 11, 31, 23, 59), "2026-12-31 23:59"],
])("%s is %s [EXP-011]", (moment, text) => {
  expect(minuteText(moment.getTime() / 1000)).toBe(text);
});
