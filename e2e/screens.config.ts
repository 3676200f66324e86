import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** `npm run screens`: pictures into test-results/screens and docs/screenshot.png. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  testMatch: "screens.ts",
  timeout: 90_000,
  projects: [{ name: "screens", use: { browserName: "chromium" } }],
});
