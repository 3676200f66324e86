import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "e2e-support",
    include: ["support/**/*.test.ts", "faults/**/*.test.ts"],
    // Fault tests want the machine for themselves: one file at a time, after every other project.
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
});
