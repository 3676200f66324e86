// Two commands started together must not install or build into the same folder.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { inProject } from "./paths.mjs";

const file = inProject(".cache", "setup.lock");

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function take() {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const owner = Number(await readFile(file, "utf8").catch(() => "0"));
    // An owner that died left its file; a file still empty is being written.
    if (owner > 0 && !isAlive(owner)) await rm(file, { force: true });
    return false;
  }
}

/**
 * Does the work while no other command of this project folder does its own.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  await mkdir(inProject(".cache"), { recursive: true });
  let told = false;
  while (!(await take())) {
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
