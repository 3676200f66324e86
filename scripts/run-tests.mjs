// `npm test`, `npm run check` and `npm run e2e`.
import { runChecks } from "./check.mjs";
import { isEnding } from "./children.mjs";
import { ensureDebianPackages } from "./debian-packages.mjs";
import { installExtras } from "./install-extras.mjs";
import { installOcr } from "./install-ocr.mjs";
import { ensurePackages } from "./packages.mjs";
import { duration } from "./steps.mjs";
import { runJourneys, runUnits } from "./suites.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/** @typedef {import("./runtime.mjs").Runtime} Runtime */

const noTests = { passed: 0, failed: 0 };

async function runStaticChecks(runtime) {
  const failed = await runChecks(runtime);
  return { passed: 0, failed: failed.length };
}

/** Runs every part though one failed, and ends with where the time went and the plain line of totals. */
async function runParts(parts) {
  const times = [];
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
    times.push(`  ${name}: ${duration(Date.now() - start)}${result.failed > 0 ? ", FAILED" : ""}`);
    for (const [file, ms] of result.slowest ?? []) times.push(`    ${file}: ${duration(ms)}`);
  }
  process.stdout.write(`\nTimes\n${times.join("\n")}\n\n${sum.passed} passed, ${sum.failed} failed\n`);
  return sum.failed > 0 ? 1 : 0;
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
    ["unit and server tests", () => runUnits(runtime)],
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
    ["unit and server tests", () => runUnits(started)],
    ["journeys in the browser", () => runJourneys(started)],
  ]);
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
