import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const results = join(import.meta.dirname, "..", "test-results");
const browser = process.env["PLUMB_CHROMIUM"] ?? "/usr/bin/chromium";

/** Journeys in Debian's Chromium. The launcher reads the sums from journeys.json. */
export default defineConfig({
  testDir: "journeys",
  outputDir: join(results, "journeys"),
  reporter: [["list"], ["json", { outputFile: join(results, "journeys.json") }]],
  // Each with a server and a scripted model of its own. Journeys wait more than they work.
  workers: 2,
  retries: 1,
  forbidOnly: true,
  // Limits are for what hangs: a slow machine is no failure.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    locale: "en-US",
    colorScheme: "light",
    reducedMotion: "reduce",
    // It would load files while others measure; pwa.spec.ts allows it.
    serviceWorkers: "block",
    // Without the film, which costs more than all the rest of the run.
    trace: { mode: "retain-on-first-failure", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: browser,
      // Chromium's own sandbox refuses to run as root.
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
  projects: [
    {
      name: "desktop",
      testIgnore: "**/mobile.spec.ts",
      use: { browserName: "chromium", viewport: { width: 1440, height: 900 } },
    },
    {
      name: "mobile",
      testMatch: "**/mobile.spec.ts",
      use: {
        browserName: "chromium",
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
        deviceScaleFactor: 2,
      },
    },
  ],
});
