// Waiting that can be cut short.
import type { Browser } from "./browser.ts";

/** Resolves after `ms`, or as soon as `signal` aborts. */
export function pause(browser: Browser, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = browser.after(ms, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
