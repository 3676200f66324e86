// One at a time, first come first served.
const REMIND_MS = 10_000;

interface Waiter {
  begin: () => void;
}

export class TurnQueue {
  private busy = false;
  private readonly waiters: Waiter[] = [];

  /**
   * Resolves with a function that ends the turn. Rejects with `reason()` when the signal is aborted before.
   * `waiting` is called at once and about each 10 s while others are before.
   */
  async take(signal: AbortSignal, reason: () => Error, waiting?: () => void): Promise<() => void> {
    if (signal.aborted) throw reason();
    if (this.busy) await this.wait(signal, reason, waiting);
    this.busy = true;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.waiters.shift();
      if (next) next.begin();
      else this.busy = false;
    };
  }

  /** Whether nothing runs. */
  get idle(): boolean {
    return !this.busy;
  }

  private async wait(signal: AbortSignal, reason: () => Error, waiting?: () => void): Promise<void> {
    waiting?.();
    const reminder = setInterval(() => waiting?.(), REMIND_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          this.waiters.splice(this.waiters.indexOf(waiter), 1);
          reject(reason());
        };
        const waiter: Waiter = {
          begin: () => {
            signal.removeEventListener("abort", leave);
            resolve();
          },
        };
        this.waiters.push(waiter);
        signal.addEventListener("abort", leave, { once: true });
      });
    } finally {
      clearInterval(reminder);
    }
  }
}
