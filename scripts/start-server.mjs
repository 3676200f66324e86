// `npm start`: everything from nothing, then the server, for whose end we answer.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { endOthers, isEnding, run } from "./children.mjs";
import { Failure } from "./failure.mjs";
import { installExtras } from "./install-extras.mjs";
import { announceOcr, hasOcr, installOcr } from "./install-ocr.mjs";
import { ensurePackages } from "./packages.mjs";
import { compileCache, inProject, root } from "./paths.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/** The server starts first: what is installed behind it may not slow it. */
const quietMs = 3000;

/** What the environment or .env says of a setting; undefined where it stands in neither. Only the server reads it fully. */
async function settingOf(name, folder, env) {
  if (env[name] !== undefined) return env[name];
  const text = await readFile(join(folder, ".env"), "utf8").catch(() => "");
  const line = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=[ \\t]*["']?([^\\s"'#]*)`, "m");
  return line.exec(text)?.[1];
}

/**
 * Installs what reads text in pictures while the server serves; it is told beforehand that this is under way. Resolves when
 * that is done, and never rejects: a server without it works.
 * @param {Record<string, string | undefined>} env
 * @param {{ cwd?: string, install?: () => Promise<void> }} [options] for tests
 * @returns {Promise<() => Promise<void>>} to be called when the server has been started
 */
export async function prepareOcr(env, { cwd = root, install = () => installOcr({ root: cwd }) } = {}) {
  try {
    if ((await settingOf("OCR", cwd, env)) === "off" || (await hasOcr(cwd))) return async () => {};
    await announceOcr(cwd);
  } catch (error) {
    const why = `What reads text in pictures cannot be put into .extras (${error.message}); OCR=off keeps it away.\n`;
    return async () => void process.stdout.write(why);
  }
  return () => install().catch((error) => process.stdout.write(`${error.message}\n`));
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
  if (!(await settingOf("MODEL_PATH", cwd, env))) return;
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
  const env = { ...runtime.env, NODE_COMPILE_CACHE: compileCache };
  const installOcrParts = await prepareOcr(runtime.env);
  const server = run(runtime.node, [inProject("server/src/main.ts"), ...parameters], {
    cwd: root,
    env,
    channel: true,
  });
  setTimeout(() => void installOcrParts(), quietMs).unref();
  const { status } = await server;
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
