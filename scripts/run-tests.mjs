// `npm test`, `npm run check` and what lies between.
import { runChecks } from "./check.mjs";
import { isEnding, run } from "./children.mjs";
import { ensureDebianPackages } from "./debian-packages.mjs";
import { afterSecondRuns, described, mostRunAgain, tooManyFlaky } from "./flaky-tests.mjs";
import { Failure } from "./failure.mjs";
import { installExtras } from "./install-extras.mjs";
import { installOcr } from "./install-ocr.mjs";
import { ensurePackages } from "./packages.mjs";
import { root } from "./paths.mjs";
import { reachOf, startingTests } from "./reach.mjs";
import { duration } from "./steps.mjs";
import { runJourneys, runUnits, testsOfChange } from "./suites.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/** @typedef {import("./runtime.mjs").Runtime} Runtime */

const noTests = { passed: 0, failed: 0 };

async function runStaticChecks(runtime) {
  const failed = await runChecks(runtime);
  return { passed: 0, failed: failed.length };
}

/** What is run once more, and what comes of it: the names of the tests that pass this time. */
async function runAgain(seconds) {
  const names = seconds.flatMap((second) => second.names);
  if (names.length === 0 || names.length > mostRunAgain) return [];
  process.stdout.write("\n── once more, alone\n");
  const passed = [];
  for (const second of seconds) if (second.names.length > 0) passed.push(...(await second.run()));
  return passed;
}

/** Runs every part though one failed, and ends with durations, what failed, flaky tests by name and the plain line of totals. */
async function runParts(parts) {
  const times = [];
  const seconds = [];
  const failures = [];
  const sum = { ...noTests };
  for (const [name, work] of parts) {
    process.stdout.write(`\n── ${name}\n`);
    const start = Date.now();
    let result;
    try {
      result = (await work()) ?? noTests;
    } catch (error) {
      process.stdout.write(`${error.message}\n`);
      result = { passed: 0, failed: 1 };
    }
    if (isEnding()) return 1;
    sum.passed += result.passed;
    sum.failed += result.failed;
    failures.push(...(result.failures ?? []));
    if (result.again !== undefined) seconds.push(result.again);
    times.push(`  ${name}: ${duration(Date.now() - start)}${result.failed > 0 ? ", FAILED" : ""}`);
  }
  const { passed, failed, flaky } = afterSecondRuns(sum, await runAgain(seconds));
  if (isEnding()) return 1;
  process.stdout.write(`\nTimes\n${times.join("\n")}\n`);
  const list = (some) => `${some.map((one) => `  ${one}`).join("\n")}\n`;
  if (failures.length > 0) process.stdout.write(`\nFailed\n${list(failures.map(described))}`);
  if (flaky.length > 0) {
    const verdict = flaky.length >= tooManyFlaky ? "too many: the run failed" : "to be mended";
    process.stdout.write(`\nOf these flaky, ${verdict}\n${list(flaky)}`);
  }
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}

/**
 * Format, lint with arrows, types, unused code, unit tests. A failed check counts as one failed.
 * @param {Runtime} runtime
 */
export async function runCheckCommand(runtime) {
  await ensurePackages(runtime, "all");
  await ensureDebianPackages(["postgresql"]);
  return runParts([
    ["checks", () => runStaticChecks(runtime)],
    ["unit tests and suites on both databases", () => runUnits(runtime)],
  ]);
}

/**
 * Everything, from nothing.
 * @param {Runtime} runtime
 * @param {{ long?: boolean }} [options] `long`: tests that repeat do it far more often (TEST_LONG=1)
 */
export async function runTestCommand(runtime, { long = false } = {}) {
  const started = long ? { ...runtime, env: { ...runtime.env, TEST_LONG: "1" } } : runtime;
  await ensurePackages(runtime, "all");
  await ensureDebianPackages(["chromium", "postgresql", "fonts-noto-cjk"]);
  await installExtras();
  await installOcr();
  return runParts([
    ["checks", () => runStaticChecks(started)],
    // Before the unit tests: those of the scripts start the whole product.
    ["build of the page", () => ensureWebBuild(started)],
    ["unit tests and suites on both databases", () => runUnits(started)],
    ["journeys in the browser", () => runJourneys(started)],
  ]);
}

/**
 * What a change can reach: for daily work. What lies before `since` is taken as tested.
 * @param {Runtime} runtime
 * @param {string} since a commit; HEAD = the changes that are not committed
 */
export async function runChangedCommand(runtime, since) {
  await ensurePackages(runtime, "all");
  await ensureDebianPackages(["chromium", "postgresql", "fonts-noto-cjk"]);
  const changed = await changedFiles(since);
  const { journeys, starting } = reachOf(changed);
  process.stdout.write(`${changed.length} files changed since ${since}\n`);
  const tests = await testsOfChange(runtime, since);
  if (starting) tests.push(...startingTests.files);
  // The kill cycles in short: they are the same each time.
  const short = { ...runtime, env: { PLUMB_CYCLES: "3", ...runtime.env } };
  const walked = journeys === "all" || journeys.length > 0;
  return runParts([
    ["checks", () => runStaticChecks(runtime)],
    ...(starting || walked ? [["build of the page", () => ensureWebBuild(runtime)]] : []),
    ...(tests.length > 0 ? [["tests it can reach", () => runUnits(short, tests)]] : []),
    ...(walked
      ? [
          [
            "journeys it can reach",
            () => runJourneys(runtime, journeys === "all" ? [] : journeys.map(specOf)),
          ],
        ]
      : []),
  ]);
}

/** A pattern of Playwright's for the file of a journey. */
const specOf = (name) => `journeys/${name}\\.spec\\.ts`;

/** The files that differ from a commit, those that git does not know yet among them. */
async function changedFiles(since) {
  const lines = [];
  for (const words of [
    ["diff", "--name-only", "--no-renames", since, "--"],
    ["ls-files", "--others", "--exclude-standard"],
  ]) {
    const { status, output } = await run("git", words, { cwd: root, quiet: true });
    if (status !== 0) throw new Failure(`git ${words.join(" ")} failed: ${output.trim()}`);
    lines.push(...output.split("\n").filter((line) => line !== ""));
  }
  return lines;
}

/**
 * The journeys alone, or those that the parameters choose.
 * @param {Runtime} runtime
 * @param {string[]} parameters passed on to Playwright
 */
export async function runJourneyCommand(runtime, parameters) {
  await ensurePackages(runtime, "all");
  await ensureDebianPackages(["chromium", "postgresql", "fonts-noto-cjk"]);
  return runParts([
    ["build of the page", () => ensureWebBuild(runtime)],
    ["journeys in the browser", () => runJourneys(runtime, parameters)],
  ]);
}
