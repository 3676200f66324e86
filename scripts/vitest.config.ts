import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "scripts",
    maxWorkers: "100%",
    include: ["**/*.test.ts"],
    setupFiles: ["./testing/seed-of-properties.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
