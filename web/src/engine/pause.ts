// Waiting that can be cut short.
import type { Browser, Cancel } from "./browser.ts";

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

/** As `pause`, and as soon as one of `wakes` runs what it is given: true then. */
export async function pauseUntil(
  browser: Browser,
  ms: number,
  signal: AbortSignal,
  wakes: readonly ((run: () => void) => Cancel)[],
): Promise<boolean> {
  if (signal.aborted) return false;
  let isWoken = false;
  const early = new AbortController();
  const end = (): void => early.abort();
  const wake = (): void => {
    isWoken = true;
    end();
  };
  const cancels = wakes.map((listen) => listen(wake));
  signal.addEventListener("abort", end, { once: true });
  await pause(browser, ms, early.signal);
  signal.removeEventListener("abort", end);
  for (const cancel of cancels) cancel();
  return isWoken;
}
