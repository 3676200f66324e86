// The two kinds of tests, how many of them passed, and which of those that failed may be run once more.
import { readFile, rm, stat } from "node:fs/promises";
import { run } from "./children.mjs";
import { journeysOf, mayRunAgain, patternOf, unitTestsOf } from "./flaky-tests.mjs";
import { Failure } from "./failure.mjs";
import { openMemoryFolder } from "./memory-folder.mjs";
import { inProject, root } from "./paths.mjs";

const unitReport = inProject("test-results", "units.json");
const journeyReport = inProject("test-results", "journeys.json");
const changedReport = inProject("test-results", "changed.json");
const lastRun = inProject("test-results", "journeys", ".last-run.json");
const secondOutput = inProject("test-results", "journeys-again");

/** @typedef {import("./flaky-tests.mjs").TestResult} TestResult */

/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed a suite that ended badly without a failed test counts as one
 */

/**
 * Tests that failed and may be run again.
 * @typedef {object} SecondRun
 * @property {string[]} names
 * @property {() => Promise<string[]>} run runs each of them once more, one after another; the names of those that pass
 */

async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    // No report, or half of one: the suite broke down, as its status shows.
    if (error.code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @returns {Totals} of vitest's JSON report */
export function unitTotals(report, status) {
  const failed = report?.numFailedTests ?? 0;
  return { passed: report?.numPassedTests ?? 0, failed: status === 0 ? failed : Math.max(failed, 1) };
}

/** @returns {Totals} of Playwright's JSON report */
export function journeyTotals(report, status) {
  const failed = report?.stats?.unexpected ?? 0;
  const passed = (report?.stats?.expected ?? 0) + (report?.stats?.flaky ?? 0);
  return { passed, failed: status === 0 ? failed : Math.max(failed, 1) };
}

/**
 * Every vitest project: the server's on both databases.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} [parameters] passed on to vitest
 * @returns {Promise<Totals & { failures: TestResult[], again: SecondRun }>}
 */
export async function runUnits(runtime, parameters = []) {
  const { report, status } = await vitest(runtime, parameters);
  const failures = unitTestsOf(report).filter(({ passed }) => !passed);
  const again = new Map(failures.filter(mayRunAgain).map((test) => [test.name, test]));
  return {
    ...unitTotals(report, status),
    failures,
    again: {
      names: [...again.keys()],
      async run() {
        const passed = [];
        for (const { file, fullName, name } of again.values()) {
          const alone = await vitest(runtime, [file, "-t", patternOf([fullName]), "--maxWorkers=1"]);
          // On each database that it ran on.
          const results = unitTestsOf(alone.report).filter((test) => test.name === name);
          if (results.length > 0 && results.every((test) => test.passed)) passed.push(name);
        }
        return passed;
      },
    },
  };
}

/**
 * The files of the unit tests that import what has changed.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string} since a commit
 * @returns {Promise<string[]>} absolute paths
 */
export async function testsOfChange({ node, env }, since) {
  const program = inProject("node_modules", "vitest", "vitest.mjs");
  const words = [program, "list", "--changed", since, "--filesOnly", `--json=${changedReport}`];
  const { status, output } = await run(node, words, { cwd: root, env, quiet: true });
  if (status !== 0) throw new Failure(`vitest could not tell which tests a change reaches:\n${output}`);
  return [...new Set(JSON.parse(await readFile(changedReport, "utf8")).map(({ file }) => file))];
}

async function vitest({ node, env }, parameters) {
  await rm(unitReport, { force: true });
  const program = inProject("node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`];
  const memory = openMemoryFolder(env);
  try {
    const words = [program, "run", ...reporters, ...parameters];
    const { status } = await run(node, words, { cwd: root, env: memory.env });
    return { report: await readReport(unitReport), status };
  } finally {
    memory.remove();
  }
}

/**
 * The journeys of e2e in Chromium.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} [parameters] passed on to Playwright
 * @returns {Promise<Totals & { failures: TestResult[], again: SecondRun }>}
 */
export async function runJourneys(runtime, parameters = []) {
  const { report, status } = await playwright(runtime, parameters);
  const failures = journeysOf(report).filter(({ passed }) => !passed);
  return {
    ...journeyTotals(report, status),
    failures,
    again: {
      names: failures.map(({ name }) => name),
      async run() {
        // What the first run kept of a failure stays in its folder.
        const once = [
          "--last-failed",
          `--last-failed-file=${lastRun}`,
          `--output=${secondOutput}`,
          "--workers=1",
        ];
        const alone = await playwright(runtime, [...parameters, ...once]);
        const passed = new Set(journeysOf(alone.report).flatMap((one) => (one.passed ? one.name : [])));
        return failures.flatMap(({ name }) => (passed.has(name) ? name : []));
      },
    },
  };
}

async function playwright({ node, env }, parameters) {
  await rm(journeyReport, { force: true });
  const program = inProject("node_modules", "@playwright", "test", "cli.js");
  await stat(program);
  const { status } = await run(node, [program, "test", ...parameters], { cwd: inProject("e2e"), env });
  return { report: await readReport(journeyReport), status };
}
