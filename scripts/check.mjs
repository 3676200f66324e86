// Format, lint with arrows, types and unused code: everything that is known without running the product.
import { stat } from "node:fs/promises";
import { run } from "./children.mjs";
import { inProject, root } from "./paths.mjs";
import { duration } from "./steps.mjs";

const tool = (...parts) => inProject("node_modules", ...parts);

const types = [
  ["protocol", "protocol/tsconfig.json"],
  ["protocol tests", "protocol/tsconfig.test.json"],
  ["server", "server/tsconfig.json"],
  ["engine", "web/src/engine/tsconfig.json"],
  ["service worker", "web/src/service-worker/tsconfig.json"],
  ["web", "web/tsconfig.json"],
  ["web tests", "web/tsconfig.test.json"],
  ["e2e", "e2e/tsconfig.json"],
  ["bench", "bench/tsconfig.json"],
  ["scripts", "scripts/tsconfig.json"],
];

const checks = [
  {
    name: "format",
    command: [
      tool("prettier", "bin", "prettier.cjs"),
      "--check",
      "--log-level=warn",
      "--cache",
      "--cache-location=.cache/prettier",
      ".",
    ],
    help: "npx prettier --write . puts it right",
  },
  { name: "lint and arrows", command: [tool("oxlint", "bin", "oxlint")] },
  ...types.map(([name, project]) => ({
    name: `types of ${name}`,
    command: [tool("typescript", "bin", "tsc"), "-p", project],
  })),
  { name: "unused code", command: [tool("knip", "bin", "knip.js"), "--no-progress"] },
];

async function runCheck({ name, command, help }, { node, env }) {
  const start = Date.now();
  const { status, output } = await run(node, command, { cwd: root, env, quiet: true });
  const time = duration(Date.now() - start);
  if (status === 0) {
    process.stdout.write(`  ${name}: ${time}\n`);
    return undefined;
  }
  process.stdout.write(`  ${name}: FAILED after ${time}${help === undefined ? "" : ` (${help})`}\n`);
  process.stdout.write(`${output.trimEnd()}\n`);
  return name;
}

/**
 * Runs all checks, two at a time, and prints each as it ends.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @returns {Promise<string[]>} the names of those that failed
 */
export async function runChecks(runtime) {
  for (const { command } of checks) await stat(command[0]);
  const waiting = [...checks];
  const failed = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const name = await runCheck(next, runtime);
      if (name !== undefined) failed.push(name);
    }
  };
  await Promise.all([worker(), worker()]);
  return failed;
}
