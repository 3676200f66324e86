import { expect, test } from "vitest";
import { ageGateMonths, ageGateYears } from "./age-gate-rules.ts";

test("[ACCT-044] years from 1900 to this one, to 2025 at least, the latest first; twelve months", () => {
  expect(ageGateYears(2027).at(0)).toBe(2027);
  expect(ageGateYears(2027).at(-1)).toBe(1900);
  expect(ageGateYears(2027)).toHaveLength(128);
  expect(ageGateYears(1970).at(0)).toBe(2025);
  expect(ageGateMonths).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});
