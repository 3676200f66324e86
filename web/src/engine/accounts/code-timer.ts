// Seconds until another verification code may be sent.
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";

export type CodeTimer = ReturnType<typeof createCodeTimer>;

export function createCodeTimer(browser: Browser) {
  const store = createStore<{ email: number }>(() => ({ email: 0 }));
  let cancel: Cancel = () => {};

  /** Counts down from `secs`. The end is a moment in time: a sleeping page doesn't stretch it. */
  function start(secs: number): void {
    cancel();
    const end = browser.now() + secs * 1000;
    const show = (): void => {
      const left = Math.max(0, Math.ceil((end - browser.now()) / 1000));
      store.setState({ email: left });
      if (left === 0) cancel();
    };
    cancel = browser.every(1000, show);
    show();
  }

  return { store, start, stop: (): void => cancel() };
}
