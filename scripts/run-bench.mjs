// `npm run bench [-- NAME …]`: the benchmarks one after another, so that none disturbs another.
import { readdir } from "node:fs/promises";
import { run } from "./children.mjs";
import { ensureDebianPackages } from "./debian-packages.mjs";
import { Failure } from "./failure.mjs";
import { ensurePackages } from "./packages.mjs";
import { inProject, root } from "./paths.mjs";
import { duration } from "./steps.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/** Benchmarks beside the `*.bench.ts` files. */
const others = ["bundle-size.ts", "start.ts"];

/** What one benchmark alone needs of the system. */
const ownPackages = { resume: ["redis-server"] };

/** The program of a name: "crash" → "crash.bench.ts". */
const nameOf = (file) => file.replace(/(\.bench)?\.ts$/, "");

/**
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} names those to run; all when empty
 */
export async function runBench(runtime, names) {
  await ensurePackages(runtime, "all");
  await ensureDebianPackages(["chromium", "postgresql"]);
  await ensureWebBuild(runtime);
  const files = (await readdir(inProject("bench"))).filter(
    (file) => file.endsWith(".bench.ts") || others.includes(file),
  );
  const unknown = names.filter((name) => !files.some((file) => nameOf(file) === name));
  if (unknown.length > 0) {
    throw new Failure(`No such benchmark: ${unknown.join(", ")}. There are ${files.map(nameOf).join(", ")}.`);
  }
  const failed = [];
  for (const file of files.sort()) {
    if (names.length > 0 && !names.includes(nameOf(file))) continue;
    await ensureDebianPackages(ownPackages[nameOf(file)] ?? []);
    process.stdout.write(`\n── ${nameOf(file)}\n`);
    const start = Date.now();
    const { status } = await run(runtime.node, [inProject("bench", file)], { cwd: root, env: runtime.env });
    process.stdout.write(`── ${nameOf(file)}: ${duration(Date.now() - start)}\n`);
    if (status !== 0) failed.push(nameOf(file));
  }
  if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(", ")}\n`);
  return failed.length > 0 ? 1 : 0;
}
