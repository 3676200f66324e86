import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "bench", maxWorkers: "100%", include: ["support/**/*.test.ts"] },
});
