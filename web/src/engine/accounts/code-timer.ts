// Seconds until another verification code may be sent, for each kind of target.
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";

/** either: where an email or a phone is asked for in one field. */
export type CodeKind = "sms" | "email" | "either";

export type CodeTimer = ReturnType<typeof createCodeTimer>;

const REST: Readonly<Record<CodeKind, number>> = { sms: 0, email: 0, either: 0 };

export function createCodeTimer(browser: Browser) {
  const store = createStore<Record<CodeKind, number>>(() => ({ ...REST }));
  const running = new Map<CodeKind, Cancel>();

  function stop(kind: CodeKind): void {
    running.get(kind)?.();
    running.delete(kind);
  }

  /** Counts down from `secs`. The end is a moment in time: a sleeping page doesn't stretch it. */
  function start(kind: CodeKind, secs: number): void {
    stop(kind);
    const end = browser.now() + secs * 1000;
    const show = (): void => {
      const left = Math.max(0, Math.ceil((end - browser.now()) / 1000));
      store.setState({ [kind]: left });
      if (left === 0) stop(kind);
    };
    running.set(kind, browser.every(1000, show));
    show();
  }

  /** The moment (unix seconds) that is so many seconds away. */
  const momentIn = (secs: number): number => browser.now() / 1000 + secs;

  const stopAll = (): void => [...running.keys()].forEach(stop);

  /** The account leaves: whoever comes next has asked for no code. */
  function clear(): void {
    stopAll();
    store.setState(REST);
  }

  return { store, start, momentIn, stop: stopAll, clear };
}
