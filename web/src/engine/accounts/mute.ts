// Whether the user may write now: stored with its end, there again at the next start, and gone when it ends
// (requirements 0§4, 1§6).
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";
import type { DraftsOnLeaving } from "./account-lifecycle.ts";
import type { AuthState, AuthStore } from "./auth-store.ts";

const STORED_AS = "plumb.mutedUntil";
/** A machine that slept, or whose clock was set, notices so soon that the time has come. */
const LOOK_AGAIN_MS = 30_000;

export interface MuteState {
  /** Unix seconds; null while the user may write. */
  until: number | null;
}

/** `ask` asks the server about the account once more. */
export function createMute(browser: Browser, auth: AuthStore, ask: () => void) {
  const store = createStore<MuteState>(() => ({ until: null }));
  let cancel: Cancel = () => {};
  /** By this machine's clock it was over before it came: only the server can say that it has ended. */
  let isOverdue = false;

  const isOver = (until: number): boolean => until * 1000 <= browser.now();

  function set(until: number | null): void {
    isOverdue = until !== null && isOver(until);
    if (until === null) browser.storage.remove(STORED_AS);
    else browser.storage.set(STORED_AS, String(until));
    if (store.getState().until !== until) store.setState({ until });
    watch();
  }

  function watch(): void {
    cancel();
    const { until } = store.getState();
    if (until === null) return;
    const left = until * 1000 - browser.now();
    cancel = browser.after(left > 0 ? Math.min(left, LOOK_AGAIN_MS) : LOOK_AGAIN_MS, look);
  }

  function look(): void {
    const { until } = store.getState();
    if (until === null) return;
    if (!isOver(until)) return watch();
    if (isOverdue) watch();
    else set(null);
    ask();
  }

  /** What the server says of the account holds. */
  function follow({ user }: AuthState): void {
    if (user !== null) set(user.chat.is_muted === 1 ? (user.chat.mute_until ?? 0) : null);
  }

  const stored = auth.hasToken() ? Number(browser.storage.get(STORED_AS)) : 0;
  if (Number.isFinite(stored) && !isOver(stored)) set(stored);
  auth.store.subscribe(follow);

  return {
    store,
    /** The account leaves; where another tab decided so, what is stored is that tab's. */
    clear({ drafts }: { drafts: DraftsOnLeaving }): void {
      cancel();
      if (drafts !== "leave") browser.storage.remove(STORED_AS);
      store.setState({ until: null });
    },
    stop: (): void => cancel(),
  };
}
