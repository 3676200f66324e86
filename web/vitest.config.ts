import { configDefaults, defineProject } from "vitest/config";
import { testsApart } from "../scripts/testing/tests-apart.ts";

const tests = "{src,dev}/**/*.test.{ts,tsx}";
export const apart = testsApart(import.meta.dirname, tests);

export default defineProject({
  test: {
    name: "web",
    maxWorkers: "100%",
    // Workers run one file after another: to begin each, and to load its modules, took longer than most tests.
    isolate: false,
    include: [tests],
    exclude: [...configDefaults.exclude, ...apart],
    setupFiles: ["../scripts/testing/seed-of-properties.ts", "../scripts/testing/leave-nothing.ts"],
    environment: "node",
    // What repeats far more often takes longer, on a machine that does other things, too.
    testTimeout: process.env["TEST_LONG"] === "1" ? 240_000 : 30_000,
  },
});
