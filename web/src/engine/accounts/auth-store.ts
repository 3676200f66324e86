// Who is signed in on this page: the stored token, what it proved to be, and why it ended.
import type { User } from "@plumb/protocol/wire/accounts";
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";

export interface AuthState {
  /** pending until the stored token was checked. */
  status: "pending" | "no" | "yes";
  user: User | null;
  /** Why the page is signed out: "banned" leads to /banned. On a page that is signed in: why it was signed out before. */
  reason: "none" | "signed-out" | "expired" | "banned";
}

const TOKEN_STORED_AS = "plumb.token";
/** There while no token is stored because the account of the last one was banned: its other tabs are to say so, too. */
const BAN_STORED_AS = "plumb.banned";

export type AuthStore = ReturnType<typeof createAuthStore>;

/**
 * `onChanged` runs when this page has stored another token, has removed it (null), or has changed what is known of its
 * account: other tabs are to follow.
 */
export function createAuthStore(browser: Browser, onChanged: (token: string | null) => void) {
  let token = browser.storage.get(TOKEN_STORED_AS);
  const store = createStore<AuthState>(() => ({
    status: token === null ? "no" : "pending",
    user: null,
    reason: "none",
  }));

  function storeToken(next: string): void {
    token = next;
    browser.storage.remove(BAN_STORED_AS);
    browser.storage.set(TOKEN_STORED_AS, next);
    onChanged(next);
  }

  /** A sign-in call gave a user and a new token. */
  function signedIn(user: User): void {
    storeToken(user.token);
    confirmed(user);
  }

  /** A sign-in elsewhere gave a token; whose it is has still to be asked. */
  function received(next: string): void {
    storeToken(next);
    store.setState({ status: "pending", user: null, reason: "none" });
  }

  /** The stored token was found good. */
  function confirmed(user: User): void {
    store.setState({ status: "yes", user });
  }

  function signedOut(reason: AuthState["reason"]): void {
    token = null;
    // Before the token goes: whoever sees that it is gone sees why.
    if (reason === "banned") browser.storage.set(BAN_STORED_AS, "1");
    else browser.storage.remove(BAN_STORED_AS);
    browser.storage.remove(TOKEN_STORED_AS);
    onChanged(null);
    store.setState({ status: "no", user: null, reason });
  }

  /** The user has read why the account is banned: another account may sign in. */
  function acknowledgeBan(): void {
    if (store.getState().reason === "banned") store.setState({ reason: "none" });
  }

  /** Another tab signed in or out, and this page doesn't know yet. */
  function isOutdated(): boolean {
    return browser.storage.get(TOKEN_STORED_AS) !== token;
  }

  /** Whether what another tab has stored is to be read here: browsers bring it over in a while only. */
  function hasStored(other: string | null): boolean {
    return browser.storage.get(TOKEN_STORED_AS) === other;
  }

  /** Takes the token that is stored now, to be checked like the one of a new page; without one, why there is none. */
  function followStored(): void {
    token = browser.storage.get(TOKEN_STORED_AS);
    const reason = browser.storage.get(BAN_STORED_AS) === null ? "signed-out" : "banned";
    if (token === null) store.setState({ status: "no", user: null, reason });
    else store.setState({ status: "pending", user: null, reason: "none" });
  }

  /** The server said that the account may not write until then (unix seconds). */
  function muted(untilSecs: number): void {
    const { user } = store.getState();
    if (user === null) return;
    store.setState({ user: { ...user, chat: { is_muted: 1, mute_until: untilSecs } } });
  }

  /** The user has changed something of the account on this page. */
  function changed(user: User): void {
    confirmed(user);
    onChanged(token);
  }

  return {
    store,
    token: (): string | null => token,
    hasToken: (): boolean => token !== null,
    signedIn,
    received,
    confirmed,
    signedOut,
    acknowledgeBan,
    isOutdated,
    hasStored,
    followStored,
    muted,
    changed,
  };
}
