import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "e2e-support", include: ["support/**/*.test.ts"] },
});
