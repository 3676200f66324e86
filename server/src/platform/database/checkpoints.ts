// Moves what SQLite's log holds into the database file, in a thread beside the one that serves. SQLite would do so inside
// a commit, and everybody would wait for the disk (docs/decisions/0037-checkpoints-in-a-thread.md). What was deleted leaves
// the log, too: until then both files still have its words.
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { Logger } from "../logger.ts";

/** So many pages of 4 KiB in the log are worth a pass; as many as SQLite itself would let gather. */
const WORTHWHILE_PAGES = 1000;
/** A log of so many pages must begin anew: others wait while the last of it is moved. */
const MOST_PAGES = 4000;
/** Each moves what was written during the one before. */
const PASSES = 4;
/** A look takes as long as a small statement. */
const USES_PER_LOOK = 16;

/**
 * So long (ms) after a deletion its words leave both files: what is deleted next goes with them. Where a command of the
 * operator reads beside the server and so holds the log as it is, they are tried again as long after that.
 */
const FORGET_AFTER_MS = 2000;

/** `empty` moves all of the log and leaves no byte in it: nobody else may use the file meanwhile. */
export type CheckpointTask = "pass" | "empty" | "close";
/** Pages in the log since it last began anew, and how many of them stand in the file. */
export interface LogState {
  log: number;
  checkpointed: number;
}
export type CheckpointAnswer = { state: LogState } | { error: unknown };

export class Checkpoints {
  readonly #file: string;
  readonly #connection: DatabaseSync;
  readonly #log: Logger;
  readonly #alone: <T>(work: () => Promise<T>) => Promise<T>;
  #uses = 0;
  #running: Promise<void> | null = null;
  #failing = false;
  #closed = false;
  #worker: Worker | null = null;
  #forgetting: NodeJS.Timeout | null = null;
  #take: (answer: CheckpointAnswer) => void = () => {};

  /**
   * @param connection the one that serves; from now on it moves nothing itself
   * @param alone runs its work while nobody else uses that connection
   */
  constructor(options: {
    file: string;
    connection: DatabaseSync;
    log: Logger;
    alone: <T>(work: () => Promise<T>) => Promise<T>;
  }) {
    this.#file = options.file;
    this.#connection = options.connection;
    this.#log = options.log;
    this.#alone = options.alone;
    this.#connection.exec("pragma wal_autocheckpoint = 0");
    // A process that died may have left what it had deleted.
    if (this.#look().log > 0) this.forget();
  }

  /** Something was deleted: soon nobody finds it in the files. */
  forget(): void {
    if (this.#forgetting !== null || this.#closed) return;
    this.#forgetting = setTimeout(() => {
      // What is deleted from now on is due after this.
      this.#forgetting = null;
      void this.#forget();
    }, FORGET_AFTER_MS).unref();
  }

  /** Somebody has used the connection, and nobody does now. Starts what is due, and never throws. */
  used(): void {
    this.#uses += 1;
    if (this.#uses < USES_PER_LOOK || this.#running !== null || this.#closed) return;
    this.#uses = 0;
    void this.#begin(() => this.#run());
  }

  /** Resolves when no thread uses the file any more. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#forgetting !== null) clearTimeout(this.#forgetting);
    await this.#running;
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    worker.ref();
    worker.postMessage("close" satisfies CheckpointTask);
    await ended;
  }

  async #forget(): Promise<void> {
    // Also after what another has begun in the meantime.
    while (this.#running !== null) await this.#running;
    if (!this.#closed) await this.#begin(() => this.#empty());
  }

  #begin(work: () => Promise<void>): Promise<void> {
    this.#running = this.#try(work).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.#log.warn({ err: error }, "the log of the database cannot be moved into its file");
      this.#failing = true;
    }
  }

  async #run(): Promise<void> {
    if (waiting(this.#look()) < WORTHWHILE_PAGES) return;
    const state = await this.#passes();
    // Once all of it stands in the file, the next write begins the log anew.
    if (waiting(state) > 0 && state.log >= MOST_PAGES) await this.#alone(() => this.#ask("pass"));
  }

  async #empty(): Promise<void> {
    let left = 1;
    try {
      await this.#passes();
      left = (await this.#alone(() => this.#ask("empty"))).log;
    } finally {
      if (left > 0) this.forget();
    }
  }

  /** Moves what there is while others go on, until little is left. */
  async #passes(): Promise<LogState> {
    let state = await this.#ask("pass");
    for (let pass = 1; pass < PASSES && waiting(state) >= WORTHWHILE_PAGES; pass += 1) {
      state = await this.#ask("pass");
    }
    return state;
  }

  /** To be asked while no transaction is open. */
  #look(): LogState {
    return this.#connection.prepare("pragma wal_checkpoint(noop)").get() as unknown as LogState;
  }

  async #ask(task: CheckpointTask): Promise<LogState> {
    const worker = (this.#worker ??= this.#newWorker());
    const answer = await new Promise<CheckpointAnswer>((resolve) => {
      this.#take = resolve;
      worker.postMessage(task);
    });
    if ("error" in answer) throw answer.error;
    return answer.state;
  }

  #newWorker(): Worker {
    const worker = new Worker(new URL("./checkpoint.worker.ts", import.meta.url), {
      workerData: { file: this.#file },
      env: {},
    });
    worker.unref();
    worker.on("message", (answer: CheckpointAnswer) => this.#take(answer));
    worker.on("error", (error: unknown) => this.#take({ error }));
    worker.on("exit", () => {
      this.#worker = null;
      this.#take({ error: new Error("the thread ended") });
    });
    return worker;
  }
}

function waiting({ log, checkpointed }: LogState): number {
  return log - checkpointed;
}
