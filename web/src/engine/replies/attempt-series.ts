// When to try again: at once, after 0.5, 1, 2, 4, 4 … seconds, for up to 60, and at once when the network or the user is back
// (wire-contract.md §4.9).
import { LIMITS } from "@plumb/protocol/limits";
import type { Browser, Cancel } from "../browser.ts";
import { pause } from "../pause.ts";

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
    const early = new AbortController();
    const wake = (): void => {
      // What kept the server away may be over: the count starts again.
      since = browser.now();
      tries = 1;
      early.abort();
    };
    const cancels: Cancel[] = [browser.onOnline(wake), browser.onVisible(wake)];
    const giveUp = (): void => early.abort();
    signal.addEventListener("abort", giveUp, { once: true });
    await pause(browser, wait, early.signal);
    signal.removeEventListener("abort", giveUp);
    for (const cancel of cancels) cancel();
    return !signal.aborted;
  }

  return { next };
}
