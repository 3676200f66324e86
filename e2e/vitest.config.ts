import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "e2e-support",
    maxWorkers: "100%",
    include: [
      "support/**/*.test.ts",
      "conformance/**/*.test.ts",
      "scenarios/**/*.test.ts",
      "faults/**/*.test.ts",
    ],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    // Fault tests start whole servers: after every other project.
    sequence: { groupOrder: 1 },
  },
});
