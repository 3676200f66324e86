// The one thread that reads pages for all replies of this process: started when it is needed, ended when it is idle, when a
// page takes too long or too much memory. Such a page costs itself and nothing else.
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
const IDLE_MS = 60_000;
const MEMORY_MB = 256;
const nothing: PageAnswer = { text: "", publishedAt: null };

interface Waiting {
  task: PageTask;
  signal: AbortSignal;
  resolve: (answer: PageAnswer) => void;
}

export class PageThread {
  readonly #clock: Clock;
  readonly #queue: Waiting[] = [];
  #worker: Worker | null = null;
  /** Takes the answer of the page that is being read; null = there is none. */
  #answer: (answer: PageAnswer | null) => void = () => {};
  #busy = false;
  #cancelIdle: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The text of a page; "" when it has none, cannot be read, or `signal` is aborted first. Never throws. */
  read(task: PageTask, signal: AbortSignal): Promise<PageAnswer> {
    return new Promise((resolve) => {
      this.#queue.push({ task, signal, resolve });
      signal.addEventListener("abort", () => resolve(nothing), { once: true });
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
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (!next.signal.aborted) next.resolve(await this.#readOne(next.task));
    }
    this.#busy = false;
    this.#cancelIdle = this.#clock.after(IDLE_MS, () => void this.#end());
  }

  async #readOne(task: PageTask): Promise<PageAnswer> {
    const worker = (this.#worker ??= this.#start());
    const answer = await new Promise<PageAnswer | null>((resolve) => {
      const cancel = this.#clock.after(PAGE_MS, () => resolve(null));
      this.#answer = (given) => {
        cancel();
        resolve(given);
      };
      worker.postMessage(task);
    });
    if (answer === null) await this.#end();
    return answer ?? nothing;
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
    const give = (answer: PageAnswer | null): void => {
      if (this.#worker === worker) this.#answer(answer);
    };
    worker.on("message", give);
    worker.on("error", () => give(null));
    worker.on("exit", () => give(null));
    return worker;
  }
}
