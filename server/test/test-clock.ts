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

/** Real time that a test can move ahead. Whoever waits is called back in its order, as if the time between had passed. */
export class SkippingClock implements Clock {
  #skippedMs = 0;
  readonly #waiting = new Map<object, { at: number; callback: () => void; timer: NodeJS.Timeout }>();

  now(): number {
    return Date.now() + this.#skippedMs;
  }

  monotonic(): number {
    return performance.now() + this.#skippedMs;
  }

  after(ms: number, callback: () => void): () => void {
    const key = {};
    this.#wait(key, this.monotonic() + ms, callback);
    return () => {
      clearTimeout(this.#waiting.get(key)?.timer);
      this.#waiting.delete(key);
    };
  }

  skip(ms: number): void {
    this.#skippedMs += ms;
    const waiting = [...this.#waiting].sort(([, one], [, other]) => one.at - other.at);
    for (const [key, { at, callback, timer }] of waiting) {
      // One that was called back before may have ended its wait.
      if (!this.#waiting.has(key)) continue;
      clearTimeout(timer);
      if (at > this.monotonic()) this.#wait(key, at, callback);
      else this.#call(key, callback);
    }
  }

  #wait(key: object, at: number, callback: () => void): void {
    const timer = setTimeout(() => this.#call(key, callback), at - this.monotonic());
    this.#waiting.set(key, { at, callback, timer });
  }

  #call(key: object, callback: () => void): void {
    this.#waiting.delete(key);
    callback();
  }
}
