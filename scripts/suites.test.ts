import { expect, it } from "vitest";
import { journeyTotals, unitTotals } from "./suites.mjs";

it("counts the tests of vitest's report", () => {
  expect(unitTotals({ numPassedTests: 7, numFailedTests: 2 }, 1)).toMatchObject({ passed: 7, failed: 2 });
});

it("counts the tests of Playwright's report, a repeated one that passed among the passed", () => {
  expect(journeyTotals({ stats: { expected: 4, flaky: 1, unexpected: 3 } }, 1)).toMatchObject({
    passed: 5,
    failed: 3,
  });
});

it("counts a suite that broke down without a failed test as one failed", () => {
  expect(unitTotals({ numPassedTests: 7, numFailedTests: 0 }, 1)).toMatchObject({ passed: 7, failed: 1 });
  expect(journeyTotals(undefined, 1)).toMatchObject({ passed: 0, failed: 1 });
});

it("tells the files that took longest, journeys with those in their describe blocks", () => {
  const files = [
    { name: "/a/quick.test.ts", startTime: 5, endTime: 6 },
    { name: "/a/slow.test.ts", startTime: 5, endTime: 900 },
  ];
  expect(unitTotals({ testResults: files }, 0).slowest).toEqual([
    ["slow.test.ts", 895],
    ["quick.test.ts", 1],
  ]);
  const specs = [{ tests: [{ results: [{ duration: 20 }, { duration: 30 }] }] }];
  const report = { suites: [{ title: "files.spec.ts", specs, suites: [{ title: "inner", specs }] }] };
  expect(journeyTotals(report, 0).slowest).toEqual([["files.spec.ts", 100]]);
});
