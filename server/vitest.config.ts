import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "server",
    maxWorkers: "100%",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["../scripts/testing/seed-of-properties.ts"],
    globalSetup: ["test/postgres.ts"],
    // Limits are for what hangs: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
