// From the command to the first 200 with warm data, and what the server process alone holds in memory when idle.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LoadClient } from "../e2e/support/load-client.ts";
import { freePort } from "./support/free-port.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 10);
const idleMs = 5000;
const root = fileURLToPath(new URL("..", import.meta.url));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const dataDir = mkdtempSync(join(tmpdir(), "plumb-bench-"));

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.on("error", () => resolve(false));
    call.end();
  });
}

/** The server among the processes that a command started: the one without children of its own that runs main.ts. */
function serverBelow(pid: number): number | undefined {
  for (const below of childrenOf(pid)) {
    const found = serverBelow(below);
    if (found !== undefined) return found;
  }
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  return command.includes("server/src/main.ts") ? pid : undefined;
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const file = `/proc/${pid}/task/${task}/children`;
    return existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
  });
}

function rssMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

interface Started {
  ms: number;
  port: number;
  serverPid: number;
  end(): Promise<void>;
}

async function start(
  command: string,
  parameters: readonly string[],
  more: Record<string, string> = {},
): Promise<Started> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(command, parameters, {
    cwd: root,
    env: {
      ...process.env,
      NO_COLOR: "1",
      DATA_DIR: dataDir,
      PORT: String(port),
      MODEL_AUTODETECT: "off",
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
      NODE_ENV: "production",
      ...more,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  while (!(await answers(port, "/readyz"))) {
    if (child.exitCode !== null || performance.now() - began > 300_000)
      throw new Error(`${command} did not start`);
    await sleep(5);
  }
  if (!(await answers(port, "/version.txt"))) throw new Error("the page is not served");
  const ms = performance.now() - began;
  const serverPid = serverBelow(child.pid ?? 0);
  if (serverPid === undefined) throw new Error("no server process was found");
  return {
    ms,
    port,
    serverPid,
    async end() {
      process.kill(serverPid, "SIGKILL");
      await ended;
    },
  };
}

function report(name: string, times: number[], goal = ""): void {
  times.sort((a, b) => a - b);
  const seconds = (ms: number | undefined): string => ((ms ?? Number.NaN) / 1000).toFixed(2);
  console.log(
    `  ${name.padEnd(34)} p50 ${seconds(percentile(times, 0.5))} s, worst ${seconds(times.at(-1))} s${goal}`,
  );
}

console.log(describeMachine());
try {
  // Everything is made once: the set-up of `npm start`, the data, the compiled code.
  const first = await start("npm", ["start"]);
  const person = await LoadClient.signUp(
    () => `http://127.0.0.1:${first.port}`,
    (email) => {
      const lines = readFileSync(join(dataDir, "outbox.jsonl"), "utf8").trim().split("\n");
      const mail = lines
        .map((line) => JSON.parse(line) as { to: string; code: string })
        .find(({ to }) => to === email);
      return mail?.code ?? "";
    },
  );
  for (let index = 0; index < 20; index += 1) {
    await person.send({ sessionId: await person.createSession(), prompt: `Question ${index}` }).done;
  }
  person.close();
  await first.end();

  const whole: number[] = [];
  const alone: number[] = [];
  const cold: number[] = [];
  const cache = { NODE_COMPILE_CACHE: join(root, ".cache", "node") };
  let memory = Number.NaN;
  for (let index = 0; index < rounds; index += 1) {
    const chain = await start("npm", ["start"]);
    whole.push(chain.ms);
    if (index === rounds - 1) {
      await sleep(idleMs);
      memory = rssMb(chain.serverPid);
    }
    await chain.end();
    const server = await start(process.execPath, ["server/src/main.ts"], cache);
    alone.push(server.ms);
    await server.end();
    const uncached = await start(process.execPath, ["server/src/main.ts"], {
      NODE_DISABLE_COMPILE_CACHE: "1",
    });
    cold.push(uncached.ms);
    await uncached.end();
  }
  console.log(`start with warm data to the first 200, ${rounds} rounds`);
  report("npm start", whole, " (goal ≤ 1.5 s)");
  report("the server process alone", alone);
  report("the same without compiled code", cold);
  console.log(
    `  idle memory of the server process  ${memory.toFixed(0)} MB RSS after ${idleMs / 1000} s (goal ≤ 120 MB)`,
  );
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
