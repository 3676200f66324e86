import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "web",
    maxWorkers: "100%",
    include: ["{src,dev}/**/*.test.{ts,tsx}"],
    environment: "node",
    testTimeout: 30_000,
  },
});
