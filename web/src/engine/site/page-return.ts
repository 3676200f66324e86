// The user or the network is back: the page brings itself up to date.
import type { Browser, Cancel } from "../browser.ts";

/** How often a lost reply is looked for while the page shows (milliseconds): a page left open gets no other event. */
const LOST_REPLY_CHECK_MS = 20_000;

export interface PageReturnDeps {
  browser: Browser;
  /** Follows a sign-out or sign-in of another tab. */
  followOtherTabs(): void;
  /** Looks for replies whose connection was lost. */
  recoverReplies(): void;
  /** Asks the server for the history on show and the newest chats of the list. */
  refresh(): void;
  /** Loads what could not be loaded. */
  loadFailed(): void;
}

export function createPageReturn({
  browser,
  followOtherTabs,
  recoverReplies,
  refresh,
  loadFailed,
}: PageReturnDeps) {
  let listening: Cancel[] = [];

  function onVisible(): void {
    followOtherTabs();
    recoverReplies();
    refresh();
  }

  function onOnline(): void {
    recoverReplies();
    loadFailed();
    refresh();
  }

  function stop(): void {
    for (const cancel of listening) cancel();
    listening = [];
  }

  function start(): void {
    stop();
    listening = [
      browser.onOnline(onOnline),
      browser.onVisible(onVisible),
      browser.every(LOST_REPLY_CHECK_MS, () => browser.visible() && recoverReplies()),
    ];
  }

  return { start, stop };
}
