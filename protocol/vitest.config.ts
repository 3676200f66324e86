import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "protocol",
    maxWorkers: "100%",
    include: ["src/**/*.test.ts"],
    setupFiles: ["../scripts/testing/seed-of-properties.ts"],
    testTimeout: 30_000,
  },
});
