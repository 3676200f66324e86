// Writes what changes often at most so often, and at the latest when the page is hidden.
import type { Browser, Cancel } from "./browser.ts";

/** `write` runs `ms` after the first change that is not written. */
export function createSlowWriter(browser: Browser, ms: number, write: () => void) {
  let cancel: Cancel | null = null;
  const stopListening = browser.onHidden(flush);

  /** Forgets that something is to be written. */
  function drop(): void {
    cancel?.();
    cancel = null;
  }

  /** Writes now what is not written. */
  function flush(): void {
    if (cancel === null) return;
    drop();
    write();
  }

  return {
    /** Something changed. */
    changed(): void {
      cancel ??= browser.after(ms, flush);
    },
    flush,
    drop,
    /** Writes what is due and listens no more. */
    stop(): void {
      flush();
      stopListening();
    },
  };
}
