import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/testing/longest-first.ts";

export default defineConfig({
  test: {
    projects: ["*/vitest.config.ts", "*/vitest.apart.config.ts"],
    sequence: { sequencer: LongestFirst },
  },
});
