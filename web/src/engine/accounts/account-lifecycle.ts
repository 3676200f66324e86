// What happens on this page when an account signs in and when it leaves.
import { BANNED, SIGN_IN, type Reactions } from "../reactions.ts";
import type { AuthState, AuthStore } from "./auth-store.ts";

/**
 * What becomes of the drafts when the account leaves. keep: they wait for the user; leave: another tab has decided
 * about what is stored, or it is of somebody before, who may come back; remove: nothing stays.
 */
export type DraftsOnLeaving = "keep" | "leave" | "remove";

/** A part of the engine that holds something of the signed-in account. */
export interface AccountPart {
  /** A token is in place: begin what a signed-in page does by itself. */
  start?(): void | Promise<void>;
  /** The account leaves: nothing of it may stay, except the drafts where `drafts` says so. */
  clear(options: { drafts: DraftsOnLeaving }): void;
}

/** The page that is shown to whose account has left for this reason (AUTH-011). */
export function pageAfter(reason: AuthState["reason"]): string {
  return reason === "banned" ? BANNED : SIGN_IN;
}

export interface AccountLifecycleDeps {
  auth: AuthStore;
  reactions: Reactions;
  /** Started and cleared in this order. */
  parts: readonly AccountPart[];
}

export type AccountLifecycle = ReturnType<typeof createAccountLifecycle>;

export function createAccountLifecycle({ auth, reactions, parts }: AccountLifecycleDeps) {
  /** Starts everything a signed-in page does by itself. */
  function enter(): void {
    for (const part of parts) void part.start?.();
  }

  /** Takes everything of the account off this page. The stored token is left alone. */
  function clear(options: { drafts: DraftsOnLeaving }): void {
    for (const part of parts) part.clear(options);
  }

  /**
   * Ends the account's stay and shows the page that says why. Drafts stay only when the session expired: the user did
   * not ask to leave and will sign in again.
   */
  function leave(
    reason: Exclude<AuthState["reason"], "none">,
    drafts: DraftsOnLeaving = reason === "expired" ? "keep" : "remove",
  ): void {
    auth.signedOut(reason);
    clear({ drafts });
    reactions.go(pageAfter(reason), { replace: true });
  }

  return { enter, clear, leave };
}
