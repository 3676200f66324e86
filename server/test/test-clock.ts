// Clocks for tests: one that stands still until the test moves it, and one that runs faster.
import type { Clock } from "../src/ports/clock.ts";

/** 2027-01-15T08:00:00Z, where test clocks begin. */
const TEST_START_MS = 1_800_000_000_000;

/** Stands still. Setting `nowMs` moves it, monotonic time with it, and calls back whoever waited for less. */
export class TestClock implements Clock {
  #nowMs: number;
  readonly #startMs: number;
  #waiting: { at: number; callback: () => void }[] = [];

  constructor(startMs = TEST_START_MS) {
    this.#nowMs = startMs;
    this.#startMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  set nowMs(ms: number) {
    this.#nowMs = ms;
    const due = this.#waiting.filter(({ at }) => at <= ms).sort((one, other) => one.at - other.at);
    this.#waiting = this.#waiting.filter(({ at }) => at > ms);
    for (const { callback } of due) callback();
  }

  /** How many wait to be called back. */
  get waiting(): number {
    return this.#waiting.length;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  after(ms: number, callback: () => void): () => void {
    const entry = { at: this.#nowMs + ms, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }
}

/** Real time whose durations pass `factor` times as fast. */
export function createQuickClock(factor: number): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now() * factor,
    after(ms, callback) {
      const timer = setTimeout(callback, ms / factor);
      return () => clearTimeout(timer);
    },
  };
}
