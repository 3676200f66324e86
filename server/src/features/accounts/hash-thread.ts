// A thread of its own for password hashes. In Node's common threads each hash would begin only when the thread that serves
// everybody has started it, on a thread that had slept, and files and name look-ups would wait behind hashes
// (docs/decisions/0065-hashes-in-threads-of-their-own.md).
import { Worker } from "node:worker_threads";

/** `compareWith` null = a new hash of the password; else whether it fits that hash. */
export interface HashTask {
  password: string;
  compareWith: string | null;
}
export type HashAnswer = { value: string | boolean } | { error: unknown };

/** It holds some 25 MB. */
const IDLE_MS = 60_000;

interface Waiting {
  resolve(value: string | boolean): void;
  reject(error: unknown): void;
}

/** Started by its first task, ended when it has had none for `idleMs`. It keeps the process alive only while it works. */
export class HashThread {
  readonly #idleMs: number;
  /** In the order in which the thread answers. */
  readonly #waiting: Waiting[] = [];
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** How many tasks it has, the one it works on included. */
  get load(): number {
    return this.#waiting.length;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Resolves with a hash in PHC form, or whether the password fits. Rejects for a hash that is none. */
  run(task: HashTask): Promise<string | boolean> {
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ resolve, reject }) === 1) worker.ref();
      worker.postMessage(task);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./password-hash.worker.ts", import.meta.url), {
      env: {},
      // The process's own options are for its program.
      execArgv: [],
    });
    worker.unref();
    worker.on("message", (answer: HashAnswer) => this.#take(worker, answer));
    worker.on("error", (error: unknown) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error("the thread that hashes passwords ended")));
    return worker;
  }

  #take(worker: Worker, answer: HashAnswer): void {
    const first = this.#waiting.shift();
    if (this.#waiting.length === 0) {
      worker.unref();
      this.#idle = this.#idle?.refresh() ?? setTimeout(() => this.#endIdle(), this.#idleMs).unref();
    }
    if ("error" in answer) first?.reject(answer.error);
    else first?.resolve(answer.value);
  }

  #endIdle(): void {
    if (this.#waiting.length > 0) return;
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  /** The next task starts another thread. */
  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
