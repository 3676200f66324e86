// How many requests one network may keep unfinished: connections without a whole request, and bodies without an end.

interface Unfinished {
  network: string;
  /** Monotonic ms. */
  since: number;
  refuse(): void;
}

export interface UnfinishedRequest {
  /** Replaces what is done when it is one too many. */
  onRefused(refuse: () => void): void;
  /** The request is whole, or gone. */
  end(): void;
}

/**
 * A request counts when it has been unfinished for `graceMs`, so that many who come at once are not taken for one who
 * holds many. Of a network with more than the limit the newest are refused.
 */
export class UnfinishedRequests {
  readonly #limit: number;
  readonly #graceMs: number;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #open = new Set<Unfinished>();

  constructor({ limit, graceMs, now }: { limit: number; graceMs: number; now: () => number }) {
    this.#limit = limit;
    this.#graceMs = graceMs;
    this.#now = now;
  }

  begin(network: string, refuse: () => void): UnfinishedRequest {
    const one: Unfinished = { network, since: this.#now(), refuse };
    this.#open.add(one);
    return {
      onRefused: (replacement) => {
        one.refuse = replacement;
      },
      end: () => void this.#open.delete(one),
    };
  }

  /** Refuses what is too many. Called about once in `graceMs`. */
  sweep(): void {
    const counts = new Map<string, number>();
    const latest = this.#now() - this.#graceMs;
    for (const one of this.#open) {
      if (one.since > latest) return;
      const count = (counts.get(one.network) ?? 0) + 1;
      counts.set(one.network, count);
      if (count <= this.#limit) continue;
      this.#open.delete(one);
      one.refuse();
    }
  }
}
