// Lets a few pieces of work run at once; the others wait in order, up to a limit.
export class BoundedQueue {
  #atOnce: number;
  #maxWaiting: number;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs `work` when its turn comes. When too many wait already it throws what `whenFull` makes. */
  async run<T>(work: () => Promise<T>, whenFull: () => Error): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#maxWaiting) throw whenFull();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The place is handed to the next one without being free in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
