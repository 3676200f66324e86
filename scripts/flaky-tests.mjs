// A test that failed is run once more, alone, when all else is done. One that then passes is flaky. Only a property that
// found a counterexample is not: another run would try other inputs.
// Pure: reads the reports of vitest and Playwright and decides what they mean.

/** With more failures than this nothing is run again: so many are no matter of timing. */
export const mostRunAgain = 10;
/** This many flaky tests fail the run. */
export const tooManyFlaky = 3;

/**
 * @typedef {object} TestResult
 * @property {string} name "stop.spec.ts › stops a reply (desktop)", "replicas.test.ts › a frozen one writes nothing"
 * @property {boolean} passed
 * @property {string} reason of a failure, as the runner says it; else empty
 */

/** @returns {TestResult[]} the journeys of Playwright's JSON report that were run, in its order */
export function journeysOf(report) {
  const below = (suite, titles) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status !== "skipped")
        .map(({ projectName, status, results }) => ({
          name: `${[...titles, spec.title].join(" › ")} (${projectName})`,
          passed: status === "expected" || status === "flaky",
          reason: (results ?? []).find(({ error }) => error !== undefined)?.error.message ?? "",
        })),
    ),
    ...(suite.suites ?? []).flatMap((inner) => below(inner, [...titles, inner.title])),
  ];
  return (report?.suites ?? []).flatMap((file) => below(file, [file.title]));
}

/**
 * @typedef {object} UnitTestParts
 * @property {string} file absolute path
 * @property {string} fullName as `vitest -t` compares it; empty when the file itself failed
 *
 * @typedef {TestResult & UnitTestParts} UnitTest
 */

/** @returns {UnitTest[]} the tests of vitest's JSON report that were run; once for each database they ran on */
export function unitTestsOf(report) {
  return (report?.testResults ?? []).flatMap(({ name: file, status, message, assertionResults }) => {
    const short = file.slice(file.lastIndexOf("/") + 1);
    const tests = assertionResults
      .filter((test) => test.status === "passed" || test.status === "failed")
      .map((test) => ({
        file,
        fullName: test.fullName,
        name: `${short} › ${test.fullName}`,
        passed: test.status === "passed",
        reason: test.failureMessages?.[0] ?? "",
      }));
    if (status !== "failed" || tests.some(({ passed }) => !passed)) return tests;
    return [...tests, { file, fullName: "", name: short, passed: false, reason: message ?? "" }];
  });
}

/** Whether a failed test may be run again: it is one test, and no property that found a counterexample. */
export function mayRunAgain({ fullName, reason }) {
  return fullName !== "" && !reason.includes("Property failed after");
}

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const mostLines = 12;

/** A failure by name and the first lines of its reason, for the end of the output: what comes before may be cut off. */
export function described({ name, reason }) {
  const lines = reason.replaceAll(escapes, "").split("\n");
  return [name, ...lines.filter((line) => line.trim() !== "").slice(0, mostLines)].join("\n    ");
}

/** A pattern for `vitest -t` that takes these tests and no other. Its names have " > " where a report has a space. */
export function patternOf(fullNames) {
  const escaped = fullNames.map((name) =>
    name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", " (?:> )?"),
  );
  return `^(?:${escaped.join("|")})$`;
}

/**
 * The sums after the second runs. Flaky tests count as passed while they are few, else as failed.
 * @param {{ passed: number, failed: number }} first
 * @param {string[]} flaky names of those that failed and then passed
 */
export function afterSecondRuns(first, flaky) {
  if (flaky.length >= tooManyFlaky) return { ...first, flaky };
  return { passed: first.passed + flaky.length, failed: first.failed - flaky.length, flaky };
}
