// A connection without data for too long counts as lost (wire-contract.md §4.1, §4.9).
import type { ChunkLimits } from "../site/settings-store.ts";
import type { Browser } from "../browser.ts";

export interface ChunkWatchdog {
  /** Data came, keep-alive comments included. */
  touch(): void;
  stop(): void;
}

/** Starts watching at once; `onSilence` is called at most once. */
export function watchChunks(browser: Browser, limits: ChunkLimits, onSilence: () => void): ChunkWatchdog {
  let last = browser.now();
  const cancel = browser.every(limits.checkMs, () => {
    if (browser.now() - last < limits.gapMs) return;
    cancel();
    onSilence();
  });
  return {
    touch: () => {
      last = browser.now();
    },
    stop: cancel,
  };
}
