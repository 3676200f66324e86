// web/dist, built again only when what it is made of has changed.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./children.mjs";
import { Failure, reasonIn } from "./failure.mjs";
import { inProject } from "./paths.mjs";
import { alone } from "./setup-lock.mjs";
import { step } from "./steps.mjs";

const inputs = [
  "package-lock.json",
  "tsconfig.base.json",
  "protocol/package.json",
  "protocol/src",
  "web/dev",
  "web/index.html",
  "web/package.json",
  "web/public",
  "web/src",
  "web/tsconfig.json",
  "web/vite.config.ts",
];
const stampFile = inProject(".cache", "web-build.sha256");
const dist = inProject("web", "dist");

async function filesUnder(path) {
  const found = await stat(inProject(path)).catch(() => undefined);
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const names = (await readdir(inProject(path))).sort();
  return (await Promise.all(names.map((name) => filesUnder(join(path, name))))).flat();
}

async function fingerprint() {
  const hash = createHash("sha256");
  const files = (await Promise.all(inputs.map(filesUnder)))
    .flat()
    .filter((path) => !/\.test\.tsx?$/.test(path));
  const contents = await Promise.all(files.map((path) => readFile(inProject(path))));
  files.forEach((path, index) => hash.update(`${path}\0${contents[index].length}\0`).update(contents[index]));
  return hash.digest("hex");
}

/**
 * Builds the page when its sources changed; tens of milliseconds when not.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {{ force?: boolean }} [options]
 */
export async function ensureWebBuild(runtime, { force = false } = {}) {
  const wanted = await fingerprint();
  const isDone = async () => {
    const stamp = await readFile(stampFile, "utf8").catch(() => "");
    const page = await stat(join(dist, "index.html")).catch(() => undefined);
    return !force && stamp === wanted && page !== undefined;
  };
  if (await isDone()) return;
  await alone(async () => {
    if (!(await isDone())) await step("Building the page", () => build(runtime, wanted));
  });
}

/** Built beside the old one and swapped in, so that a server that runs meanwhile never serves half of it. */
async function build({ node, env }, wanted) {
  const fresh = inProject(".cache", "web-dist");
  const old = inProject(".cache", "web-dist-old");
  const vite = inProject("node_modules", "vite", "bin", "vite.js");
  const { status, output } = await run(
    node,
    [vite, "build", "--outDir", "../.cache/web-dist", "--emptyOutDir"],
    {
      cwd: inProject("web"),
      // Tests that start the product have another, with which React is twice as large.
      env: { ...env, NODE_ENV: "production" },
      quiet: true,
    },
  );
  if (status !== 0) {
    throw new Failure(`The page could not be built. ${reasonIn(output) ?? ""}\n${output.trim()}`);
  }
  await mkdir(inProject(".cache"), { recursive: true });
  await rm(stampFile, { force: true });
  await rm(old, { recursive: true, force: true });
  await rename(dist, old).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
  await writeFile(stampFile, wanted);
}
