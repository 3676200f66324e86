// Repeats a clean-up of expired rows every few minutes while the process lives.
import type { Logger } from "../../platform/logger.ts";
import type { Clock } from "../../ports/clock.ts";

const EVERY_MS = 5 * 60_000;

export class Sweeper {
  #clock: Clock;
  #log: Logger;
  #what: string;
  #work: (nowMs: number) => Promise<void>;
  #cancel: (() => void) | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    { clock, log, what }: { clock: Clock; log: Logger; what: string },
    work: (nowMs: number) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#what = what;
    this.#work = work;
  }

  start(): void {
    this.#cancel = this.#clock.after(EVERY_MS, () => {
      this.#running = this.#sweep();
    });
  }

  /** Resolves when a sweep that runs has ended; none begins after. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#running;
  }

  async #sweep(): Promise<void> {
    try {
      await this.#work(this.#clock.now());
    } catch (error) {
      // The rows expire by their time all the same; the next sweep removes them.
      this.#log.warn({ err: error, what: this.#what }, "clean-up failed");
    }
    if (!this.#stopped) this.start();
  }
}
