// The one thread that reads pages for all replies of this process: started when it is needed, ended when it is idle, when a
// page takes too long or too much memory. Such a page costs itself and nothing else. Accounts take turns at it: the next page
// is that of the account whose pages took least of its time lately.
import { Worker } from "node:worker_threads";
import type { Clock } from "../../ports/clock.ts";
import type { ArticleText } from "./article-text.ts";

export interface PageTask {
  bytes: Uint8Array;
  contentType: string;
  /** Code units of text that are kept. */
  most: number;
}
export type PageAnswer = ArticleText;

/** For one page, once its turn has come. */
const PAGE_MS = 2500;
/** For the thread to load what it takes. */
const START_MS = 10_000;
/** For one of an account whose pages took more than PAGE_MS lately: others wait for less. */
const HURRIED_PAGE_MS = 500;
/** A second of the thread is forgotten in so many. */
const DRAIN = 20;
/** No more of it is remembered: ten minutes later everything is forgotten. */
const MOST_USED_MS = 30_000;
/** Accounts of which more is remembered than none, before those are looked for whose use is forgotten. */
const REMEMBERED = 1000;
const IDLE_MS = 60_000;
const MEMORY_MB = 256;
const nothing: PageAnswer = { text: "", publishedAt: null };

interface Waiting {
  account: string;
  task: PageTask;
  signal: AbortSignal;
  resolve: (answer: PageAnswer) => void;
}

export class PageThread {
  readonly #clock: Clock;
  readonly #queue: Waiting[] = [];
  #worker: Worker | null = null;
  /** Takes what the thread says next; null = it ended. */
  #hear: (said: PageAnswer | "ready" | null) => void = () => {};
  #busy = false;
  /** What accounts used of the thread, as of `at` (monotonic ms). */
  readonly #used = new Map<string, { ms: number; at: number }>();
  #cancelIdle: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The thread for one account. */
  forAccount(account: string): Pick<PageThread, "read"> {
    return { read: (task, signal) => this.read(task, signal, account) };
  }

  /** The text of a page; "" when it has none, cannot be read, or `signal` is aborted first. Never throws. */
  read(task: PageTask, signal: AbortSignal, account = ""): Promise<PageAnswer> {
    return new Promise((resolve) => {
      const waiting = { account, task, signal, resolve };
      this.#queue.push(waiting);
      const leave = (): void => {
        // Its bytes wait no longer.
        const at = this.#queue.indexOf(waiting);
        if (at !== -1) this.#queue.splice(at, 1);
        resolve(nothing);
      };
      signal.addEventListener("abort", leave, { once: true });
      void this.#work();
    });
  }

  async close(): Promise<void> {
    this.#cancelIdle();
    for (const { resolve } of this.#queue.splice(0)) resolve(nothing);
    await this.#end();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    this.#cancelIdle();
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      if (!next.signal.aborted) next.resolve(await this.#readOne(next));
    }
    this.#busy = false;
    this.#cancelIdle = this.#clock.after(IDLE_MS, () => void this.#end());
  }

  /** Of pages that wait, the first of the account that used least. */
  #takeNext(): Waiting | undefined {
    let next: Waiting | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const waiting of this.#queue) {
      const used = this.#usedBy(waiting.account);
      if (used < least) [next, least] = [waiting, used];
    }
    if (next !== undefined) this.#queue.splice(this.#queue.indexOf(next), 1);
    return next;
  }

  #usedBy(account: string): number {
    const used = this.#used.get(account);
    if (used === undefined) return 0;
    const left = used.ms - (this.#clock.monotonic() - used.at) / DRAIN;
    if (left <= 0) this.#used.delete(account);
    return Math.max(0, left);
  }

  #charge(account: string, ms: number): void {
    const used = Math.min(MOST_USED_MS, this.#usedBy(account) + ms);
    this.#used.set(account, { ms: used, at: this.#clock.monotonic() });
    if (this.#used.size > REMEMBERED) for (const one of this.#used.keys()) this.#usedBy(one);
  }

  async #readOne({ account, task }: Waiting): Promise<PageAnswer> {
    const limitMs = this.#usedBy(account) > PAGE_MS ? HURRIED_PAGE_MS : PAGE_MS;
    const beganAt = this.#clock.monotonic();
    const answer = (await this.#isReady()) ? await this.#listen(limitMs, task) : null;
    this.#charge(account, this.#clock.monotonic() - beganAt);
    if (answer === null || answer === "ready") await this.#end();
    return answer === null || answer === "ready" ? nothing : answer;
  }

  async #isReady(): Promise<boolean> {
    if (this.#worker !== null) return true;
    this.#worker = this.#start();
    return (await this.#listen(START_MS)) === "ready";
  }

  /** What the thread says within the time, after it was given the task where there is one; null = nothing. */
  #listen(limitMs: number, task?: PageTask): Promise<PageAnswer | "ready" | null> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(limitMs, () => resolve(null));
      this.#hear = (said) => {
        cancel();
        resolve(said);
      };
      if (task !== undefined) this.#worker?.postMessage(task);
    });
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./page-text.worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      // Its own words go nowhere: a library that complains of a page must not fill the log.
      stdout: true,
      stderr: true,
      env: {},
    });
    worker.unref();
    // What one says that was ended meanwhile is for nobody.
    const give = (said: PageAnswer | "ready" | null): void => {
      if (this.#worker === worker) this.#hear(said);
    };
    worker.on("message", give);
    worker.on("error", () => give(null));
    worker.on("exit", () => give(null));
    return worker;
  }
}
