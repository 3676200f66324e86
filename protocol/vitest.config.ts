import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "protocol",
    maxWorkers: "100%",
    // As in the page (web/vitest.config.ts): none of them has modules of its own.
    isolate: false,
    include: ["src/**/*.test.ts"],
    setupFiles: ["../scripts/testing/seed-of-properties.ts", "../scripts/testing/leave-nothing.ts"],
    testTimeout: 30_000,
  },
});
