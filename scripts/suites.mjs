// The two kinds of tests, and how many of them passed.
import { readFile, rm, stat } from "node:fs/promises";
import { run } from "./children.mjs";
import { inProject, root } from "./paths.mjs";

const unitReport = inProject("test-results", "units.json");
const journeyReport = inProject("test-results", "journeys.json");

/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed a suite that ended badly without a failed test counts as one
 */

async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    // No report, or half of one: the suite broke down, which its status tells.
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
 * @returns {Promise<Totals>}
 */
export async function runUnits({ node, env }, parameters = []) {
  await rm(unitReport, { force: true });
  const vitest = inProject("node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`];
  const { status } = await run(node, [vitest, "run", ...reporters, ...parameters], { cwd: root, env });
  return unitTotals(await readReport(unitReport), status);
}

/**
 * The journeys of e2e in Chromium.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} [parameters] passed on to Playwright
 * @returns {Promise<Totals>}
 */
export async function runJourneys({ node, env }, parameters = []) {
  await rm(journeyReport, { force: true });
  const playwright = inProject("node_modules", "@playwright", "test", "cli.js");
  await stat(playwright);
  const { status } = await run(node, [playwright, "test", ...parameters], { cwd: inProject("e2e"), env });
  return journeyTotals(await readReport(journeyReport), status);
}
