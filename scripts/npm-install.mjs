// npm for folders of their own, such as .extras.
import { spawn } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";

/** The npm that started us, else the one on PATH: the fetched runtime brings none. */
function npmCommand() {
  const given = process.env.npm_execpath;
  return given?.endsWith(".js") ? [process.execPath, given] : ["npm"];
}

/**
 * Installs what a package.json and its package-lock.json in `source` name, into `folder`, running none of their scripts. Each
 * package is checked against the hash in the lock before it is unpacked: one that the registry changed since is refused.
 * @param {string} source
 * @param {string} folder
 */
export async function installLocked(source, folder) {
  await mkdir(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    await copyFile(join(source, name), join(folder, name));
  await npm(["ci", "--ignore-scripts"], folder);
}

/**
 * npm with these words in a folder; rejects with what npm said. Ends when this process is told to.
 * @param {string[]} words
 * @param {string} folder
 * @returns {Promise<void>}
 */
export function npm(words, folder) {
  const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
  const [command, ...first] = npmCommand();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...words, ...flags], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      shell: process.platform === "win32",
    });
    const end = () => child.kill();
    process.on("exit", end);
    let complaint = "";
    child.stderr.on("data", (text) => {
      complaint = (complaint + text).slice(-2000);
    });
    child.on("error", reject);
    child.on("close", (status) => {
      process.off("exit", end);
      if (status === 0) resolve();
      else reject(new Error(`npm ended with ${status}: ${complaint.trim()}`));
    });
  });
}
