// Seconds until another verification code may be sent, for each kind of target.
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";
import { createAskedCodes, type CodeKind } from "./asked-codes.ts";

export type CodeTimer = ReturnType<typeof createCodeTimer>;

const REST: Readonly<Record<CodeKind, number>> = {
  sms: 0,
  email: 0,
  either: 0,
  ownEmail: 0,
  ownPhone: 0,
};

export function createCodeTimer(browser: Browser) {
  const store = createStore<Record<CodeKind, number>>(() => ({ ...REST }));
  const running = new Map<CodeKind, Cancel>();
  const asked = createAskedCodes(browser);
  let isOpen = false;

  function stop(kind: CodeKind): void {
    running.get(kind)?.();
    running.delete(kind);
  }

  /** The end is a moment in time: a sleeping page doesn't stretch it. */
  function countDown(kind: CodeKind, end: number): void {
    stop(kind);
    const show = (): void => {
      const left = Math.max(0, Math.ceil((end - browser.now()) / 1000));
      store.setState({ [kind]: left });
      if (left === 0) stop(kind);
    };
    running.set(kind, browser.every(1000, show));
    show();
  }

  /** A code was asked for: counts down from `secs`. */
  function start(kind: CodeKind, secs: number, target: string): void {
    const nextAt = browser.now() + secs * 1000;
    asked.keep(kind, { target, nextAt });
    countDown(kind, nextAt);
  }

  /** Goes on after a reload. */
  function resume(): void {
    isOpen = true;
    for (const kind of Object.keys(REST) as CodeKind[]) {
      const last = asked.last(kind);
      if (last !== null) countDown(kind, last.nextAt);
    }
  }

  /** The moment (unix seconds) that is so many seconds away. */
  const momentIn = (secs: number): number => browser.now() / 1000 + secs;

  const stopAll = (): void => [...running.keys()].forEach(stop);

  /** An account enters or leaves: whoever comes next has asked for no code. */
  function clear(): void {
    stopAll();
    store.setState(REST);
    asked.forget();
  }

  /** An account that is here as the page opens has asked for them itself, before a reload. */
  function enter(): void {
    if (isOpen) clear();
  }

  const askedFor = (kind: CodeKind): string => asked.last(kind)?.target ?? "";

  return { store, start, resume, momentIn, askedFor, stop: stopAll, enter, clear };
}
