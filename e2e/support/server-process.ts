// The real server as a child process, which a test can end in every way and start again on the same data.
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const main = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));
/** As `npm start` does: a restart does not compile everything again. */
const compiled = fileURLToPath(new URL("../../.cache/node", import.meta.url));
/** Generous: a busy machine is no failure. */
const startLimitMs = 60_000;

/** Fast enough for tests; everything else is as shipped. */
const testSettings = {
  RATE_LIMITS: "off",
  CAPTCHA: "none",
  MESSAGES_PER_MINUTE: "10000",
  CONCURRENT_REPLIES: "20",
  POW_DIFFICULTY: "200",
  POW_DIFFICULTY_UPLOAD: "200",
  POW_DIFFICULTY_GUEST: "200",
  LEASE_TIMEOUT_MS: "600",
  LEASE_RENEW_MS: "200",
  DRAIN_MS: "300",
  MODEL_AUTODETECT: "off",
  // The scripted model's name does not say that it can think.
  MODEL_THINKING_STYLE: "reasoning_effort",
  LOG_LEVEL: "info",
};

export type Settings = Record<string, string>;

export class ServerProcess {
  readonly dataDir: string;
  /** Everything it has written, of all its lives. */
  output = "";
  private readonly settings: Settings;
  private child: ChildProcess | null = null;
  private ended: Promise<number | null> = Promise.resolve(null);
  private listening = { port: 0 };

  private constructor(settings: Settings, dataDir: string) {
    this.settings = settings;
    this.dataDir = dataDir;
  }

  /** Starts a server on a free port and waits for its address line. Throws with its output when it does not come. */
  static async start(settings: Settings, dataDir = newDataDir()): Promise<ServerProcess> {
    const server = new ServerProcess(settings, dataDir);
    await server.restart();
    return server;
  }

  get port(): number {
    return this.listening.port;
  }

  /** Where this machine's own browser finds it. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Of the running process. Throws when none runs. */
  get pid(): number {
    if (this.child?.pid === undefined) throw new Error("The server is not running.");
    return this.child.pid;
  }

  get running(): boolean {
    return this.child !== null;
  }

  /** Starts it on the same data and, from the second time on, on the same port. */
  async restart(): Promise<void> {
    if (this.child !== null) throw new Error("The server is still running.");
    const child = spawn(process.execPath, [main], {
      cwd: this.dataDir,
      env: {
        PATH: process.env["PATH"] ?? "",
        NO_COLOR: "1",
        NODE_COMPILE_CACHE: compiled,
        ...testSettings,
        DATA_DIR: this.dataDir,
        ...this.settings,
        PORT: String(this.port),
      },
      // By the channel it notices the end of a test run that was killed, and ends too.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once("exit", (code) => {
        this.child = null;
        resolve(code);
      });
    });
    const from = this.output.length;
    const collect = (chunk: Buffer): void => {
      this.output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    const deadline = Date.now() + startLimitMs;
    for (;;) {
      const found = /is ready: http:\/\/[^\s]+:(\d+)/.exec(this.output.slice(from));
      if (found) {
        this.listening = { port: Number(found[1]) };
        return;
      }
      if (this.child !== child || Date.now() > deadline) {
        child.kill("SIGKILL");
        const how = child.exitCode ?? child.signalCode ?? "still starting";
        throw new Error(`The server did not start (${how}):\n${this.output.slice(from)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** SIGKILL: nothing of it runs when this returns. */
  async kill9(): Promise<void> {
    this.child?.kill("SIGKILL");
    await this.ended;
  }

  /** SIGTERM; resolves with the exit code. */
  async term(): Promise<number | null> {
    this.child?.kill("SIGTERM");
    return this.ended;
  }

  /** The last code sent to that address, as an operator without a mailer reads it. */
  codeFor(email: string): string {
    return this.lastSent(email, "code");
  }

  /** The path of the last link that was sent to that address. */
  linkFor(email: string): string {
    const { pathname, hash } = new URL(this.lastSent(email, "link"));
    return pathname + hash;
  }

  private lastSent(address: string, what: "code" | "link"): string {
    const lines = readFileSync(join(this.dataDir, "outbox.jsonl"), "utf8").trim().split("\n");
    const messages = lines.map(
      (line) => JSON.parse(line) as { to: string; code?: string; link?: string | null },
    );
    const found = messages.findLast((message) => message.to === address && message[what]);
    if (!found?.[what]) throw new Error(`The outbox holds no ${what} for ${address}.`);
    return found[what];
  }
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), "plumb-journey-"));
}
