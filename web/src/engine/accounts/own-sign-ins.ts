// Where the user is signed in: listed, one of them ended, or all (wire-contract.md §9, §19.1).
import {
  endSignIn,
  EndSignInRefusal,
  logoutAllSessions,
  signIns,
  type SignInEntry,
} from "@plumb/protocol/wire/own-account";
import { createStore } from "zustand/vanilla";
import { errorText } from "../texts.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";

export interface SignInsState {
  /** The latest use first; null until they are here. */
  entries: readonly SignInEntry[] | null;
  failed: boolean;
  /** Those that are being ended. */
  ending: readonly string[];
}

const UNKNOWN: SignInsState = { entries: null, failed: false, ending: [] };

export function createOwnSignIns({
  api,
  reactions,
  leave,
}: Pick<OwnAccountDeps, "api" | "reactions" | "leave">) {
  const store = createStore<SignInsState>(() => UNKNOWN);
  let account = new AbortController();

  async function load(): Promise<void> {
    const { signal } = account;
    store.setState({ failed: false });
    const result = await api.call(signIns, {}, { signal });
    if (signal.aborted) return;
    store.setState(result.ok ? { entries: result.data.sign_ins } : { failed: true });
  }

  /** Ends one. The row goes when the server has done it; the one of this page is a logout. */
  async function end(id: string): Promise<void> {
    const { entries, ending } = store.getState();
    if (ending.includes(id)) return;
    const { signal } = account;
    store.setState({ ending: [...ending, id] });
    const result = await api.call(endSignIn, { id }, { signal });
    if (signal.aborted) return;
    store.setState((now) => ({ ending: now.ending.filter((one) => one !== id) }));
    const { error } = result.ok ? { error: null } : result;
    const isGone =
      error?.kind === "refused" &&
      error.scope === "call" &&
      error.code === EndSignInRefusal.SignInNotFound.code;
    if (error !== null && !isGone) {
      reactions.toast({
        type: "error",
        text: errorText(error) ?? { key: "endSignInFailed" },
        dedupeKey: "sign-in",
      });
      return;
    }
    if (entries?.find((entry) => entry.id === id)?.current === true) return leave("signed-out");
    store.setState((now) => ({ entries: now.entries?.filter((entry) => entry.id !== id) ?? null }));
  }

  /** Ends all, this page's too. False = that failed, which was said. */
  async function endAll(): Promise<boolean> {
    const { signal } = account;
    const result = await api.call(logoutAllSessions, {}, { signal });
    // Somebody else ended this one meanwhile: the page has left already.
    if (signal.aborted) return true;
    if (!result.ok) {
      reactions.toast({ type: "error", text: { key: "logoutAllDevicesFail" }, dedupeKey: "logout-all" });
      return false;
    }
    leave("signed-out");
    return true;
  }

  function clear(): void {
    account.abort();
    account = new AbortController();
    store.setState(UNKNOWN);
  }

  return { store, load, end, endAll, clear };
}
