// A program in a process of its own, whose CPU, memory and loop delay are read by name.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Reading {
  cpuMicros: number;
  userMicros: number;
  atMicros: number;
  rssBytes: number;
  loopDelayMs: { p50: number; p99: number; max: number };
}

const probe = fileURLToPath(new URL("./probe.ts", import.meta.url));
const answerLimitMs = 20_000;

export class MeasuredProcess {
  readonly child: ChildProcess;
  readonly name: string;
  output = "";
  readonly #ended: Promise<void>;

  constructor(name: string, file: string, options: { env?: Record<string, string>; cwd?: string } = {}) {
    this.name = name;
    this.child = spawn(process.execPath, ["--import", probe, file], {
      cwd: options.cwd,
      env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", ...options.env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const collect = (chunk: Buffer): void => {
      this.output += chunk.toString();
    };
    this.child.stdout?.on("data", collect);
    this.child.stderr?.on("data", collect);
    this.#ended = new Promise((resolve) => this.child.once("exit", () => resolve()));
  }

  /** Sends and waits for the message that has this key. */
  async ask<T>(message: object, key: string, limitMs = answerLimitMs): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        finish();
        reject(new Error(`${this.name}: ${why}\n${this.output.slice(-3000)}`));
      };
      const timer = setTimeout(() => fail(`no answer to ${JSON.stringify(message)}`), limitMs);
      const listen = (answer: unknown): void => {
        if (typeof answer !== "object" || answer === null || !(key in answer)) return;
        finish();
        resolve((answer as Record<string, T>)[key] as T);
      };
      const ended = (code: number | null, signal: string | null): void =>
        fail(`ended with ${code ?? signal}`);
      const finish = (): void => {
        clearTimeout(timer);
        this.child.off("message", listen);
        this.child.off("exit", ended);
      };
      this.child.on("message", listen);
      this.child.once("exit", ended);
      this.child.send(message);
    });
  }

  /** Collects garbage: the next reading tells the memory that is used. */
  async collect(): Promise<void> {
    await this.ask({ collect: true }, "collected");
  }

  read(reset = false): Promise<Reading> {
    return this.ask({ probe: reset ? "reset" : "read" }, "probed");
  }

  /** Resolves with the match of a line of its output. */
  async says(pattern: RegExp, limitMs = 30_000): Promise<RegExpExecArray> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (this.child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${this.name} did not say ${String(pattern)}:\n${this.output.slice(-3000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.child.kill(signal);
    await this.#ended;
  }
}

/** Share of one core between two readings, 0 … 1. */
export function coreShare(from: Reading, to: Reading): number {
  return (to.cpuMicros - from.cpuMicros) / (to.atMicros - from.atMicros);
}
