// When to try again: at once, after 0.5, 1, 2, 4, 4 … seconds, for up to 60, and at once when the network or the user is back
// (wire-contract.md §4.9).
import { LIMITS } from "@plumb/protocol/limits";
import type { Browser } from "../browser.ts";
import { pauseUntil } from "../pause.ts";

export interface AttemptSeries {
  /** Waits until the next attempt is due; false when there shall be none. */
  next(signal: AbortSignal): Promise<boolean>;
}

/** Begins a series: its first attempt is due at once. */
export function startAttempts(browser: Browser): AttemptSeries {
  let since = browser.now();
  let tries = 0;

  async function next(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (tries++ === 0) return true;
    const wait = Math.min(LIMITS.resumeBackoffFirstMs * 2 ** (tries - 2), LIMITS.resumeBackoffMaxMs);
    if (browser.now() - since + wait > LIMITS.resumeForMs) return false;
    if (await pauseUntil(browser, wait, signal, [browser.onOnline, browser.onVisible])) {
      // What kept the server away may be over: the count starts again.
      since = browser.now();
      tries = 1;
    }
    return !signal.aborted;
  }

  return { next };
}
