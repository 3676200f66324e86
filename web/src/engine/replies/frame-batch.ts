// Many events, one notification: work is put off to the next frame and done once.
import type { Browser, Cancel } from "../browser.ts";

/** A hidden page paints no frames; then a timer does, so that a reply goes on in the background. */
const HIDDEN_INTERVAL_MS = 250;

export interface FrameBatch {
  /** Asks for the work to be done soon. */
  mark(): void;
  /** Does it now if it is due. */
  flush(): void;
  /** Forgets what is due. */
  cancel(): void;
}

export function createFrameBatch(browser: Browser, work: () => void): FrameBatch {
  let pending: Cancel[] | null = null;

  function clear(): boolean {
    if (pending === null) return false;
    for (const cancel of pending) cancel();
    pending = null;
    return true;
  }
  function flush(): void {
    if (clear()) work();
  }
  function mark(): void {
    if (pending !== null) return;
    pending = [browser.after(HIDDEN_INTERVAL_MS, flush)];
    // A frame asked for by a page that is hidden meanwhile may never come: the timer stays beside it.
    if (browser.visible()) pending.push(browser.frame(flush));
  }
  return { mark, flush, cancel: () => void clear() };
}
