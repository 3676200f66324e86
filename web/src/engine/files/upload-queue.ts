// Uploads one after the other, some at the same time (requirements 1§9).

export interface UploadQueue {
  /** `run` begins when it is its turn; its `signal` aborts when the upload is cancelled. */
  add(key: string, run: (signal: AbortSignal) => Promise<void>): void;
  /** Ends an upload that runs, or takes one that waits out of the queue. */
  cancel(key: string): void;
  /** Ends all. */
  clear(): void;
}

/** `atOnce`: how many may run; asked each time, since it can come late. */
export function createUploadQueue(atOnce: () => number): UploadQueue {
  const waiting = new Map<string, (signal: AbortSignal) => Promise<void>>();
  const running = new Map<string, AbortController>();

  function next(): void {
    for (const [key, run] of waiting) {
      if (running.size >= atOnce()) return;
      waiting.delete(key);
      const control = new AbortController();
      running.set(key, control);
      void run(control.signal).finally(() => {
        // One that was cancelled may have been added anew meanwhile.
        if (running.get(key) === control) running.delete(key);
        next();
      });
    }
  }

  function cancel(key: string): void {
    waiting.delete(key);
    const control = running.get(key);
    running.delete(key);
    control?.abort();
    next();
  }

  return {
    add(key, run) {
      waiting.set(key, run);
      next();
    },
    cancel,
    clear() {
      waiting.clear();
      for (const key of [...running.keys()]) cancel(key);
    },
  };
}
