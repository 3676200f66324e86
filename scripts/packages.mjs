// The packages of package-lock.json in node_modules: all of them, or only what serving needs.
import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { run } from "./children.mjs";
import { Failure, reasonIn } from "./failure.mjs";
import { inProject, root } from "./paths.mjs";
import { alone } from "./setup-lock.mjs";
import { step } from "./steps.mjs";

const stampFile = inProject("node_modules", ".plumb-packages.json");
const servingWorkspaces = ["protocol", "server", "web"];

async function readStamp() {
  try {
    return JSON.parse(await readFile(stampFile, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isFolder = (path) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Installs what is missing or has changed since; milliseconds when nothing did.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {"serve" | "all"} set `serve` leaves out what only tests and benchmarks need
 */
export async function ensurePackages(runtime, set) {
  const lock = createHash("sha256")
    .update(await readFile(inProject("package-lock.json")))
    .digest("hex");
  const isDone = async () => {
    const stamp = await readStamp();
    return stamp?.lock === lock && (stamp.set === "all" || stamp.set === set);
  };
  if (await isDone()) return;
  await alone(async () => {
    if (await isDone()) return;
    await step(
      set === "all" ? "Installing packages" : "Installing the packages of the server and the page",
      () => install(runtime, set, lock),
    );
  });
}

async function install(runtime, set, lock) {
  const exists = await isFolder(inProject("node_modules"));
  const before = await readStamp();
  // A developer's installation is not reduced to what serving needs.
  const chosen = exists && before?.set !== "serve" ? "all" : set;
  const [command, ...first] = await runtime.npm();
  // `ci` empties node_modules first, under whatever runs from it: only where there is none.
  const how = exists ? ["install", "--no-save"] : ["ci"];
  const what =
    chosen === "all"
      ? []
      : [...servingWorkspaces.flatMap((name) => ["-w", name]), "--include-workspace-root=false"];
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, output } = await run(command, [...first, ...how, ...what, ...flags], {
    cwd: root,
    env: runtime.env,
    quiet: true,
  });
  if (status !== 0) {
    throw new Failure(
      `The packages could not be installed. ${reasonIn(output) ?? ""}\n${output.trim()}`.trim(),
    );
  }
  await writeFile(stampFile, JSON.stringify({ lock, set: chosen }));
}
