// Empties SQLite's write-ahead log soon after something was deleted. SQLite itself moves pages from the log into the file
// (its automatic checkpoint), but leaves their bytes in the log until later writes cover them: on a quiet server for weeks.
import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "../logger.ts";

/**
 * From a deletion to the checkpoint that empties the log, in ms. What is deleted meanwhile goes with it. While another
 * connection, such as an operator command, reads from the log, it cannot be emptied: it is tried again after the same time.
 */
const TRUNCATE_AFTER_MS = 2000;

interface CheckpointResult {
  /** 1 = somebody else was reading. */
  busy: number;
  /** Pages in the log. */
  log: number;
}

export class WalTruncation {
  readonly #connection: DatabaseSync;
  readonly #log: Logger;
  readonly #alone: <T>(work: () => Promise<T>) => Promise<T>;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #failing = false;
  #closed = false;

  /** `alone` runs its work while nobody else uses the connection. */
  constructor(options: {
    connection: DatabaseSync;
    log: Logger;
    alone: <T>(work: () => Promise<T>) => Promise<T>;
  }) {
    this.#connection = options.connection;
    this.#log = options.log;
    this.#alone = options.alone;
    // A process that died may have left what it had deleted.
    if (this.#checkpoint("noop").log > 0) this.schedule();
  }

  /** Empties the log 2 s from now. Call it after a deletion. */
  schedule(): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#running = this.#truncate();
    }, TRUNCATE_AFTER_MS).unref();
  }

  /** Resolves when the connection may be closed. Closing it empties the log. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  async #truncate(): Promise<void> {
    try {
      const { busy } = await this.#alone(async () => this.#checkpoint("truncate"));
      this.#failing = false;
      if (busy !== 0) this.schedule();
    } catch (error) {
      if (!this.#failing) this.#log.warn({ err: error }, "the log of the database could not be emptied");
      this.#failing = true;
      this.schedule();
    }
  }

  /** Only while no transaction is open. */
  #checkpoint(mode: "noop" | "truncate"): CheckpointResult {
    return this.#connection.prepare(`pragma wal_checkpoint(${mode})`).get() as unknown as CheckpointResult;
  }
}
