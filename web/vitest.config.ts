import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "web",
    maxWorkers: "100%",
    include: ["{src,dev}/**/*.test.{ts,tsx}"],
    setupFiles: ["../scripts/testing/seed-of-properties.ts"],
    environment: "node",
    // What repeats far more often takes longer, on a machine that does other things, too.
    testTimeout: process.env["TEST_LONG"] === "1" ? 240_000 : 30_000,
  },
});
