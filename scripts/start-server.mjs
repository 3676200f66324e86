// `npm start`: everything from nothing, then the server, for whose end we answer.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { endOthers, isEnding, run } from "./children.mjs";
import { Failure } from "./failure.mjs";
import { installExtras } from "./install-extras.mjs";
import { ensurePackages } from "./packages.mjs";
import { inProject, root } from "./paths.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/** Whether the environment or .env may name a GGUF file. Only the server knows: it is asked when this is true. */
async function namesModelFile(folder, env) {
  if (env.MODEL_PATH !== undefined) return env.MODEL_PATH !== "";
  const text = await readFile(join(folder, ".env"), "utf8").catch(() => "");
  return /^\s*(?:export\s+)?MODEL_PATH\s*=[ \t]*["']?[^\s"'#]/m.test(text);
}

/**
 * Installs what runs the GGUF file of the settings. A file that cannot be one is refused before 85 MB are fetched for it.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {{ cwd?: string, install?: () => Promise<void> }} [options] for tests
 */
export async function ensureEmbeddedModel(
  { node, env },
  { cwd = root, install = () => installExtras() } = {},
) {
  if (!(await namesModelFile(cwd, env))) return;
  const check = inProject("server", "src", "check-model-file.ts");
  const { status, output } = await run(node, [check], { cwd, env, quiet: true });
  if (status !== 0) throw new Failure(output.trim(), status);
  // Node itself may have printed something, too, for instance by NODE_OPTIONS.
  if (/^wanted$/m.test(output)) await install();
}

/**
 * The model file first: it can be refused before anything is fetched.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {"serve" | "all"} set
 */
async function prepareServer(runtime, set) {
  await ensureEmbeddedModel(runtime);
  await ensurePackages(runtime, set);
}

/**
 * Prepares and runs the server until it ends; resolves to its exit status.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} parameters
 */
export async function startServer(runtime, parameters) {
  await prepareServer(runtime, "serve");
  await ensureWebBuild(runtime);
  // Types are stripped once and kept: the next start is quicker, and the stripper's 25 MB are not loaded.
  const env = { ...runtime.env, NODE_COMPILE_CACHE: inProject(".cache", "node") };
  const { status } = await run(runtime.node, [inProject("server/src/main.ts"), ...parameters], {
    cwd: root,
    env,
    channel: true,
  });
  if (status > 128 && !isEnding()) {
    throw new Failure(
      `The server was ended from outside (status ${status}). Start it again; running replies go on.`,
      status,
    );
  }
  return status;
}

/**
 * The server, restarted when its files change, and Vite's server for the page in front of it.
 * @param {import("./runtime.mjs").Runtime} runtime
 */
export async function startDevelopment(runtime) {
  await prepareServer(runtime, "all");
  const vite = inProject("node_modules", "vite", "bin", "vite.js");
  const servers = [
    run(runtime.node, ["--watch", "--watch-preserve-output", inProject("server/src/main.ts")], {
      cwd: root,
      env: runtime.env,
    }),
    run(runtime.node, [vite], { cwd: inProject("web"), env: runtime.env }),
  ];
  const { status } = await Promise.race(servers);
  endOthers();
  await Promise.all(servers);
  return status;
}
