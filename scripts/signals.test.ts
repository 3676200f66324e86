// The chain npm → launcher → server, ended at each link in both ways: nothing may be left on the port or the data.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "./paths.mjs";

const startLimitMs = 60_000;
const endLimitMs = 30_000;

let dataDir: string;
let npm: ChildProcess;
let output: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "plumb-signals-"));
  output = "";
});

afterEach(() => {
  for (const pid of chainUnder(npm.pid ?? 0).reverse()) endIfAlive(pid);
  rmSync(dataDir, { recursive: true, force: true });
});

function endIfAlive(pid: number): void {
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
}

function isAlive(pid: number): boolean {
  try {
    // A zombie waits only for its parent to look: it holds nothing.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

function parentOf(pid: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

/** The process and what it started, from the top down. */
function chainUnder(pid: number): number[] {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.flatMap((child) => chainUnder(Number(child)))];
}

async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Not within ${limitMs} ms: ${what}\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
    socket.setTimeout(1000, () => socket.destroy());
  });
}

/** The lock is free when another may hold it, as the next server would. */
function isLockFree(): boolean {
  const lock = new DatabaseSync(join(dataDir, "lock.db"));
  try {
    lock.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return true;
  } catch {
    return false;
  } finally {
    lock.close();
  }
}

async function start(): Promise<{ chain: number[]; port: number }> {
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_OPTIONS)/.test(name),
  );
  npm = spawn("npm", ["start"], {
    cwd: root,
    env: {
      ...Object.fromEntries(environment),
      PORT: "0",
      DATA_DIR: dataDir,
      MODEL_AUTODETECT: "off",
      DRAIN_MS: "200",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const collect = (chunk: Buffer) => {
    output += chunk.toString("utf8");
  };
  npm.stdout?.on("data", collect);
  npm.stderr?.on("data", collect);
  let port = 0;
  const ready = () => {
    port = Number(/is ready: http:\/\/[^\s:]+:(\d+)/.exec(output)?.[1] ?? 0);
    return port > 0;
  };
  await until("the server is ready", ready, startLimitMs);
  return { chain: chainUnder(npm.pid ?? 0), port };
}

describe.runIf(process.platform === "linux")("ending the chain", () => {
  const links = ["npm", "launcher", "server"] as const;
  const cases = links.flatMap((link) =>
    (["SIGTERM", "SIGKILL"] as const).map((signal) => [link, signal] as const),
  );

  it.each(cases)("at the %s by %s leaves nothing behind", async (link, signal) => {
    const { chain, port } = await start();
    expect(chain).toHaveLength(links.length);
    expect(isLockFree()).toBe(false);
    process.kill(chain[links.indexOf(link)] ?? 0, signal);
    await until("every process has ended", () => !chain.some(isAlive), endLimitMs);
    expect(await isListening(port)).toBe(false);
    expect(isLockFree()).toBe(true);
  });
});
