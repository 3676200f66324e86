// Two commands started together must not install or build into the same folder.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { inProject } from "./paths.mjs";

const lockFile = inProject(".cache", "setup.lock");

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** In a container that begins anew processes have the numbers of those before: the number alone may be another's. */
const own = `${process.pid} ${randomUUID()}`;

/** @param {string} owner what its process wrote; one still empty is being written */
function isLeft(owner) {
  const pid = Number(owner.split(" ")[0]);
  return pid > 0 && owner !== own && (pid === process.pid || !isAlive(pid));
}

/** @param {string} file */
async function take(file) {
  try {
    await writeFile(file, own, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isLeft(await readFile(file, "utf8").catch(() => ""))) await rm(file, { force: true });
    return false;
  }
}

/**
 * Does the work while no other command of this project folder does its own.
 * @template T
 * @param {() => Promise<T>} work
 * @param {{ at?: string }} [options] for tests
 * @returns {Promise<T>}
 */
export async function alone(work, { at: file = lockFile } = {}) {
  await mkdir(dirname(file), { recursive: true });
  let told = false;
  while (!(await take(file))) {
    if (!told) process.stdout.write("Another command is setting up this folder; waiting for it.\n");
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
