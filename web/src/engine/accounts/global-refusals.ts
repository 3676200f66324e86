// What the codes do that mean the same whatever was called (wire-contract.md §18.1).
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Reactions } from "../reactions.ts";
import { globalText, numberAt } from "../texts.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";

export interface GlobalRefusalDeps {
  reactions: Reactions;
  /** The token this page uses now. */
  token(): string | null;
  /** No token is stored. */
  nobodyStored(): boolean;
  /** Follows what another tab did to the account. False where none did anything. */
  followOtherTabs(): boolean;
  /** Asks the server about the account once more. */
  checkAccount(): void;
  /** The account may not write until then (unix seconds). */
  muted(untilSecs: number): void;
  /** The account needs a phone: shows what binds one. */
  askForPhone(): void;
  /** Forgets the proofs of work at hand. */
  clearProofs(): void;
  leave: AccountLifecycle["leave"];
  log(message: string): void;
}

/** Acts on a global `code` that came back with `data` on a call made with `token` (null: without one). */
export function handleGlobalRefusal(
  deps: GlobalRefusalDeps,
  { code, token, logId, data }: { code: number; token: string | null; logId: string; data: unknown },
): void {
  const { reactions, token: currentToken, checkAccount, muted, askForPhone, clearProofs, leave, log } = deps;
  const showToast = (): void => {
    const text = globalText(code, null, logId);
    if (text !== null) reactions.toast({ type: "error", text, dedupeKey: `global-${code}` });
  };
  switch (code) {
    case Global.PowHeaderError.code:
    case Global.InvalidPowResponse.code:
      clearProofs();
      return showToast();
    case Global.MissingToken.code:
    case Global.InvalidToken.code:
    case Global.UserIsBanned.code:
      // A late answer to an earlier token says nothing about the one we have now.
      if (token === null || token !== currentToken()) return;
      // A token that another tab has ended: that tab knows why. It may not know of a ban; who has signed in there since stays.
      if (!(code === Global.UserIsBanned.code && deps.nobodyStored()) && deps.followOtherTabs()) return;
      if (code === Global.InvalidToken.code) showToast();
      return leave(code === Global.UserIsBanned.code ? "banned" : "expired");
    case Global.MobileNotVerified.code:
      if (token !== currentToken()) return;
      showToast();
      return askForPhone();
    case Global.UserIsMuted.code:
      if (token === currentToken()) muted(numberAt(data, "end_at"));
      return;
    case Global.BirthdayRequired.code:
      if (token === currentToken()) checkAccount();
      return;
    default:
      if (globalText(code, null, logId) === null) log(`unknown global code ${code} (${logId})`);
  }
}
