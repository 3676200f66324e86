// A journey or fault test that failed is run once more, alone, when all else is done. One that then passes is flaky.
// Pure: reads the reports of vitest and Playwright and decides what they mean.

/** With more failures than this nothing is run again: so many are no matter of timing. */
export const mostRunAgain = 10;
/** This many flaky tests fail the run. */
export const tooManyFlaky = 3;

/**
 * @typedef {object} Journey
 * @property {string} name "stop.spec.ts › stops a reply (desktop)"
 * @property {boolean} passed
 */

/** @returns {Journey[]} the journeys of Playwright's JSON report that were run, in its order */
export function journeysOf(report) {
  const below = (suite, titles) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status !== "skipped")
        .map(({ projectName, status }) => ({
          name: `${[...titles, spec.title].join(" › ")} (${projectName})`,
          passed: status === "expected" || status === "flaky",
        })),
    ),
    ...(suite.suites ?? []).flatMap((inner) => below(inner, [...titles, inner.title])),
  ];
  return (report?.suites ?? []).flatMap((file) => below(file, [file.title]));
}

/**
 * @typedef {object} FaultTest
 * @property {string} file absolute path
 * @property {string} fullName as `vitest -t` compares it
 * @property {string} name "replicas.test.ts › a frozen one writes nothing"
 * @property {boolean} passed
 */

/** @returns {FaultTest[]} the tests of vitest's JSON report in e2e/faults that were run */
export function faultTestsOf(report) {
  return (report?.testResults ?? [])
    .filter(({ name }) => name.includes("/e2e/faults/"))
    .flatMap(({ name: file, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "passed" || status === "failed")
        .map(({ fullName, status }) => ({
          file,
          fullName,
          name: `${file.slice(file.lastIndexOf("/") + 1)} › ${fullName}`,
          passed: status === "passed",
        })),
    );
}

/** A pattern for `vitest -t` that takes these tests and no other. */
export function patternOf(fullNames) {
  const escaped = fullNames.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
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
