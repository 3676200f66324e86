// Counters of this process alone, for the limits that only protect its load.
import type { CounterLimit } from "./counter-store.ts";

const MAX_KEYS = 50_000;

interface Window {
  count: number;
  endsAt: number;
}

/** Fixed windows per key, at most 50,000 keys: beyond that the oldest window goes first. Times are wall-clock ms. */
export class MemoryCounter {
  #windows = new Map<string, Window>();

  /** Milliseconds until the window of a key that has reached its limit ends; null when a hit would be counted. */
  waitOf(key: string, { limit, windowMs }: CounterLimit, nowMs: number): number | null {
    if (limit < 1) return windowMs;
    const window = this.#windows.get(key);
    if (window === undefined || window.count < limit || !isOpen(window, windowMs, nowMs)) return null;
    return window.endsAt - nowMs;
  }

  /** Counts a hit; null when it was counted, else the milliseconds until the window ends. */
  countHit(key: string, { limit, windowMs }: CounterLimit, nowMs: number): number | null {
    const window = this.#windows.get(key);
    if (window !== undefined && isOpen(window, windowMs, nowMs)) {
      if (window.count >= limit) return window.endsAt - nowMs;
      window.count += 1;
      return null;
    }
    this.#windows.delete(key);
    if (limit < 1) return windowMs;
    if (this.#windows.size >= MAX_KEYS) {
      const oldest = this.#windows.keys().next();
      if (!oldest.done) this.#windows.delete(oldest.value);
    }
    this.#windows.set(key, { count: 1, endsAt: nowMs + windowMs });
    return null;
  }

  /** Forgets windows that have ended. */
  sweep(nowMs: number): void {
    for (const [key, window] of this.#windows) if (window.endsAt <= nowMs) this.#windows.delete(key);
  }
}

/** A clock set back must not keep a window longer than its length. */
function isOpen({ endsAt }: Window, windowMs: number, nowMs: number): boolean {
  return endsAt > nowMs && endsAt <= nowMs + windowMs;
}
