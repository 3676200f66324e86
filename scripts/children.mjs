// Child processes that end when this one is told to end, or when the npm that started it is gone.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const live = new Set();
const parentCheckMs = 250;
const backstopMs = 12_000;
let watching = false;
let ending = false;

/** Whether a signal has asked this process to end: failures from now on are not reported. */
export function isEnding() {
  return ending;
}

/** Passes a signal on to every child; a child that still runs after 12 s is killed. */
function endChildren(signal) {
  ending = true;
  for (const child of live) child.kill(signal);
  setTimeout(() => {
    for (const child of live) child.kill("SIGKILL");
  }, backstopMs).unref();
  if (live.size === 0) process.exit(128 + constants.signals[signal]);
}

/** Ends what still runs beside a child that ended. */
export function endOthers() {
  for (const child of live) child.kill("SIGTERM");
}

function watchForTheEnd() {
  if (watching) return;
  watching = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => endChildren(signal));
  // npm passes no SIGKILL on. Its end shows only in that we get another parent.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    endChildren("SIGTERM");
  }, parentCheckMs);
  timer.unref();
}

/**
 * Runs a program to its end. Never rejects for a status other than 0.
 * @param {string} command
 * @param {string[]} parameters
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, channel?: boolean }} [options]
 *   `quiet` collects the output instead of showing it; `channel` keeps an IPC channel open, so that the child
 *   notices our end however it comes.
 * @returns {Promise<{ status: number, output: string }>} a signal counts as 128 and its number, as in a shell
 */
export function run(command, parameters, { cwd, env, quiet = false, channel = false } = {}) {
  watchForTheEnd();
  return new Promise((resolve, reject) => {
    const output = quiet ? "pipe" : "inherit";
    const child = spawn(command, parameters, {
      cwd,
      env,
      stdio: [quiet ? "ignore" : "inherit", output, output, ...(channel ? ["ipc"] : [])],
    });
    live.add(child);
    const collected = [];
    child.stdout?.on("data", (chunk) => collected.push(chunk));
    child.stderr?.on("data", (chunk) => collected.push(chunk));
    child.on("error", (error) => {
      live.delete(child);
      reject(error);
    });
    child.on("close", (code, signal) => {
      live.delete(child);
      const status = code ?? 128 + constants.signals[signal];
      resolve({ status, output: Buffer.concat(collected).toString("utf8") });
    });
  });
}
