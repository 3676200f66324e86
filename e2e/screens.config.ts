import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** `npm run screens`: pictures into test-results/screens and docs/screenshot.png. */
export default defineConfig({
  ...journeys,
  testDir: "screens",
  testMatch: "*.screens.ts",
  timeout: 240_000,
  projects: [{ name: "screens", use: { browserName: "chromium" } }],
});
