// One at a time, first come first served: for a model that can write only one text at once.
import PQueue from "p-queue";

const REMIND_MS = 10_000;

export class TurnQueue {
  readonly #queue = new PQueue({ concurrency: 1 });

  /**
   * Resolves with a function that ends the turn. Rejects with `reason()` when the signal is aborted before the turn
   * begins. `waiting` is called at once and about each 10 s while others are before.
   */
  async take(signal: AbortSignal, reason: () => Error, waiting?: () => void): Promise<() => void> {
    if (signal.aborted) throw reason();
    const reminder = this.idle ? undefined : remindOf(waiting);
    try {
      return await this.#begin(signal, reason);
    } finally {
      clearInterval(reminder);
    }
  }

  /** Whether nothing runs. */
  get idle(): boolean {
    return this.#queue.pending === 0;
  }

  /** Resolves when the turn begins, with the function that ends it. */
  #begin(signal: AbortSignal, reason: () => Error): Promise<() => void> {
    return new Promise((begin, reject) => {
      // The queue hears of an abort only during the wait. Later it would let the next one begin before this one is over.
      const wait = new AbortController();
      const leave = (): void => wait.abort();
      signal.addEventListener("abort", leave, { once: true });
      const turn = (): Promise<void> => {
        signal.removeEventListener("abort", leave);
        return new Promise((endTurn) => begin(endTurn));
      };
      this.#queue.add(turn, { signal: wait.signal }).catch(() => reject(reason()));
    });
  }
}

/** Calls `waiting` now and again until the interval is cleared. */
function remindOf(waiting: (() => void) | undefined): NodeJS.Timeout | undefined {
  if (waiting === undefined) return undefined;
  waiting();
  return setInterval(waiting, REMIND_MS);
}
