// The two runners, and what their JSON reports say.
import { readFile, rm } from "node:fs/promises";
import { run } from "./children.mjs";
import { openMemoryFolder } from "./memory-folder.mjs";
import { inProject, root } from "./paths.mjs";

const unitReport = inProject("test-results", "units.json");
const journeyReport = inProject("test-results", "journeys.json");

/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed a suite that ended badly without a failed test counts as one
 * @property {[name: string, ms: number][]} slowest the files that took longest, in milliseconds
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

const longestFirst = (times) => times.sort(([, a], [, b]) => b - a).slice(0, 10);
const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);

/** @returns {Totals} of vitest's JSON report */
export function unitTotals(report, status) {
  const failed = report?.numFailedTests ?? 0;
  const times = (report?.testResults ?? []).map(({ name, startTime, endTime }) => [
    fileName(name),
    endTime - startTime,
  ]);
  return {
    passed: report?.numPassedTests ?? 0,
    failed: status === 0 ? failed : Math.max(failed, 1),
    slowest: longestFirst(times),
  };
}

/** @returns {Totals} of Playwright's JSON report */
export function journeyTotals(report, status) {
  const failed = report?.stats?.unexpected ?? 0;
  const passed = (report?.stats?.expected ?? 0) + (report?.stats?.flaky ?? 0);
  const msOf = (suite) =>
    (suite.specs ?? [])
      .flatMap(({ tests }) => tests)
      .flatMap(({ results }) => results)
      .reduce((sum, { duration }) => sum + duration, 0) +
    (suite.suites ?? []).reduce((sum, inner) => sum + msOf(inner), 0);
  return {
    passed,
    failed: status === 0 ? failed : Math.max(failed, 1),
    slowest: longestFirst((report?.suites ?? []).map((suite) => [fileName(suite.title), msOf(suite)])),
  };
}

/**
 * Every vitest project. A test that fails is run once more by vitest itself.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} [parameters] passed on to vitest
 * @returns {Promise<Totals>}
 */
export async function runUnits({ node, env }, parameters = []) {
  await rm(unitReport, { force: true });
  const program = inProject("node_modules", "vitest", "vitest.mjs");
  const options = ["--retry=1", "--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`];
  const memory = openMemoryFolder(env);
  try {
    const { status } = await run(node, [program, "run", ...options, ...parameters], {
      cwd: root,
      env: memory.env,
    });
    return unitTotals(await readReport(unitReport), status);
  } finally {
    memory.remove();
  }
}

/**
 * The journeys of e2e in Chromium.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} [parameters] passed on to Playwright
 * @returns {Promise<Totals>}
 */
export async function runJourneys({ node, env }, parameters = []) {
  await rm(journeyReport, { force: true });
  const program = inProject("node_modules", "@playwright", "test", "cli.js");
  const { status } = await run(node, [program, "test", ...parameters], { cwd: inProject("e2e"), env });
  return journeyTotals(await readReport(journeyReport), status);
}
