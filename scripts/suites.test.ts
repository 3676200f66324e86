import { expect, it } from "vitest";
import { journeyTotals, unitTotals } from "./suites.mjs";

it("counts the tests of vitest's report", () => {
  expect(unitTotals({ numPassedTests: 7, numFailedTests: 2 }, 1)).toEqual({ passed: 7, failed: 2 });
});

it("counts the tests of Playwright's report, a repeated one that passed among the passed", () => {
  expect(journeyTotals({ stats: { expected: 4, flaky: 1, unexpected: 3 } }, 1)).toEqual({
    passed: 5,
    failed: 3,
  });
});

it("counts a suite that broke down without a failed test as one failed", () => {
  expect(unitTotals({ numPassedTests: 7, numFailedTests: 0 }, 1)).toEqual({ passed: 7, failed: 1 });
  expect(journeyTotals(undefined, 1)).toEqual({ passed: 0, failed: 1 });
});
