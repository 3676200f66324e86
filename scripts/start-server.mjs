// `npm start`: everything from nothing, then the server, for whose end we answer.
import { readFile } from "node:fs/promises";
import { endOthers, isEnding, run } from "./children.mjs";
import { Failure } from "./failure.mjs";
import { installExtras } from "./install-extras.mjs";
import { ensurePackages } from "./packages.mjs";
import { inProject, root } from "./paths.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/** Whether the environment or .env names a GGUF file. The server reads .env for itself; only its need is known here. */
async function wantsEmbeddedModel() {
  if (process.env.MODEL_PATH !== undefined) return process.env.MODEL_PATH !== "";
  const text = await readFile(inProject(".env"), "utf8").catch(() => "");
  return /^\s*(?:export\s+)?MODEL_PATH\s*=[ \t]*["']?[^\s"'#]/m.test(text);
}

/** @param {import("./runtime.mjs").Runtime} runtime */
async function prepareServer(runtime) {
  await ensurePackages(runtime, "serve");
  if (await wantsEmbeddedModel()) await installExtras();
}

/**
 * Prepares and runs the server until it ends; resolves to its exit status.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {string[]} parameters
 */
export async function startServer(runtime, parameters) {
  await prepareServer(runtime);
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
  await ensurePackages(runtime, "all");
  if (await wantsEmbeddedModel()) await installExtras();
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
