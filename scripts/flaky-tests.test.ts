import { expect, it } from "vitest";
import {
  afterSecondRuns,
  described,
  journeysOf,
  mayRunAgain,
  patternOf,
  unitTestsOf,
} from "./flaky-tests.mjs";

const journeyReport = {
  suites: [
    {
      title: "stop.spec.ts",
      specs: [
        {
          title: "stops",
          tests: [
            { projectName: "desktop", status: "unexpected", results: [{}, { error: { message: "late" } }] },
          ],
        },
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
    { name: "stop.spec.ts › stops (desktop)", passed: false, reason: "late" },
    { name: "stop.spec.ts › on a phone › stops (mobile)", passed: true, reason: "" },
    { name: "stop.spec.ts › on a phone › stops (desktop)", passed: false, reason: "" },
  ]);
  expect(journeysOf(undefined)).toEqual([]);
});

it("takes the tests of vitest's report that were run, and a file that failed by itself", () => {
  const file = "/p/e2e/faults/replicas.test.ts";
  const report = {
    testResults: [
      {
        name: file,
        status: "failed",
        message: "",
        assertionResults: [
          { fullName: "one freezes", status: "failed", failureMessages: ["Error: 3 is not 4"] },
          { fullName: "one leaves", status: "passed" },
          { fullName: "one sleeps", status: "skipped" },
        ],
      },
      {
        name: "/p/server/src/app.test.ts",
        status: "failed",
        message: "no such module",
        assertionResults: [],
      },
    ],
  };
  const freezes = { file, fullName: "one freezes", name: "replicas.test.ts › one freezes", passed: false };
  expect(unitTestsOf(report)).toEqual([
    { ...freezes, reason: "Error: 3 is not 4" },
    { file, fullName: "one leaves", name: "replicas.test.ts › one leaves", passed: true, reason: "" },
    {
      file: "/p/server/src/app.test.ts",
      fullName: "",
      name: "app.test.ts",
      passed: false,
      reason: "no such module",
    },
  ]);
  expect(unitTestsOf(undefined)).toEqual([]);
});

it.each([
  ["a test that failed", { fullName: "one freezes", reason: "Error: 3 is not 4" }, true],
  [
    "a property with a counterexample",
    { fullName: "any", reason: "Error: Property failed after 7 tests" },
    false,
  ],
  ["a file that could not be loaded", { fullName: "", reason: "no such module" }, false],
])("runs %s again: %#", (_, test, again) => {
  expect(mayRunAgain(test)).toBe(again);
});

it("describes a failure by its name and the first lines of its reason, without colours", () => {
  const reason = [
    "\u001B[31mError: 1\u001B[39m",
    "",
    ...Array.from({ length: 50 }, (_, at) => `at ${at}`),
  ].join("\n");
  const lines = described({ name: "a.test.ts › b", reason }).split("\n");
  expect(lines.slice(0, 3)).toEqual(["a.test.ts › b", "    Error: 1", "    at 0"]);
  expect(lines).toHaveLength(13);
});

it("makes a pattern that takes a test by its whole name, whatever signs are in it", () => {
  const pattern = new RegExp(patternOf(["30 kills (of 200) leave [I1]", "a|b"]));
  expect(pattern.test("30 kills (of 200) leave [I1]")).toBe(true);
  expect(pattern.test("a|b")).toBe(true);
  expect(pattern.test("a")).toBe(false);
  expect(pattern.test("so 30 kills (of 200) leave [I1] whole")).toBe(false);
  expect(pattern.test("30 kills > (of 200) leave [I1]")).toBe(true);
});

it.each([
  { flaky: [], passed: 10, failed: 4 },
  { flaky: ["a"], passed: 11, failed: 3 },
  { flaky: ["a", "b"], passed: 12, failed: 2 },
  { flaky: ["a", "b", "c"], passed: 10, failed: 4 },
])("counts $flaky.length flaky tests: $passed passed, $failed failed", ({ flaky, passed, failed }) => {
  expect(afterSecondRuns({ passed: 10, failed: 4 }, flaky)).toEqual({ passed, failed, flaky });
});
