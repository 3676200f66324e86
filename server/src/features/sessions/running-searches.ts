// A search of one's history costs up to a second of work, and whoever types asks for one after the other: what a user has
// asked for last is looked for, and searches before that come to an end (wire-contract.md §19.5).

/** Of one user, by this process: one for each of two windows. */
const AT_ONCE = 2;

export interface RunningSearch {
  /** True when its user has asked for so many others since that it should answer with what it has found. */
  isOver: boolean;
}

export class RunningSearches {
  readonly #running = new Map<string, RunningSearch[]>();

  /** Runs a search of the user; the oldest of those beyond two is over from then on. */
  async run<T>(userId: string, search: (running: RunningSearch) => Promise<T>): Promise<T> {
    const own: RunningSearch = { isOver: false };
    const running = [...(this.#running.get(userId) ?? []), own];
    this.#running.set(userId, running);
    for (const older of running.slice(0, -AT_ONCE)) older.isOver = true;
    try {
      return await search(own);
    } finally {
      const left = (this.#running.get(userId) ?? []).filter((one) => one !== own);
      if (left.length > 0) this.#running.set(userId, left);
      else this.#running.delete(userId);
    }
  }
}
