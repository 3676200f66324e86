// npm for folders of their own, such as .extras.
import { spawn } from "node:child_process";

/** The npm that started us, else the one on PATH: the fetched runtime brings none. */
function npmCommand() {
  const given = process.env.npm_execpath;
  return given?.endsWith(".js") ? [process.execPath, given] : ["npm"];
}

/**
 * `npm install` with these words in a folder; rejects with what npm said. Ends when this process is told to.
 * @param {string[]} words
 * @param {string} folder
 * @returns {Promise<void>}
 */
export function npmInstall(words, folder) {
  const flags = ["--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
  const [command, ...first] = npmCommand();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, "install", ...flags, ...words], {
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
