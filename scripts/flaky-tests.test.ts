import { expect, it } from "vitest";
import { afterSecondRuns, faultTestsOf, journeysOf, patternOf } from "./flaky-tests.mjs";

const journeyReport = {
  suites: [
    {
      title: "stop.spec.ts",
      specs: [
        { title: "stops", tests: [{ projectName: "desktop", status: "unexpected" }] },
        { title: "waits", tests: [{ projectName: "desktop", status: "skipped" }] },
      ],
      suites: [
        {
          title: "on a phone",
          specs: [
            {
              title: "stops",
              tests: [
                { projectName: "mobile", status: "expected" },
                { projectName: "desktop", status: "unexpected" },
              ],
            },
          ],
        },
      ],
    },
  ],
};

it("names each journey that was run, by file, group, title and device", () => {
  expect(journeysOf(journeyReport)).toEqual([
    { name: "stop.spec.ts › stops (desktop)", passed: false },
    { name: "stop.spec.ts › on a phone › stops (mobile)", passed: true },
    { name: "stop.spec.ts › on a phone › stops (desktop)", passed: false },
  ]);
  expect(journeysOf(undefined)).toEqual([]);
});

it("takes the fault tests from vitest's report and no others", () => {
  const report = {
    testResults: [
      {
        name: "/p/e2e/faults/replicas.test.ts",
        assertionResults: [
          { fullName: "one freezes", status: "failed" },
          { fullName: "one leaves", status: "passed" },
          { fullName: "one sleeps", status: "skipped" },
        ],
      },
      {
        name: "/p/server/src/app.test.ts",
        assertionResults: [{ fullName: "starts", status: "failed" }],
      },
    ],
  };
  const file = "/p/e2e/faults/replicas.test.ts";
  expect(faultTestsOf(report)).toEqual([
    { file, fullName: "one freezes", name: "replicas.test.ts › one freezes", passed: false },
    { file, fullName: "one leaves", name: "replicas.test.ts › one leaves", passed: true },
  ]);
});

it("makes a pattern that takes a test by its whole name, whatever signs are in it", () => {
  const pattern = new RegExp(patternOf(["30 kills (of 200) leave [I1]", "a|b"]));
  expect(pattern.test("30 kills (of 200) leave [I1]")).toBe(true);
  expect(pattern.test("a|b")).toBe(true);
  expect(pattern.test("a")).toBe(false);
  expect(pattern.test("so 30 kills (of 200) leave [I1] whole")).toBe(false);
});

it.each([
  { flaky: [], passed: 10, failed: 4 },
  { flaky: ["a"], passed: 11, failed: 3 },
  { flaky: ["a", "b"], passed: 12, failed: 2 },
  { flaky: ["a", "b", "c"], passed: 10, failed: 4 },
])("counts $flaky.length flaky tests: $passed passed, $failed failed", ({ flaky, passed, failed }) => {
  expect(afterSecondRuns({ passed: 10, failed: 4 }, flaky)).toEqual({ passed, failed, flaky });
});
