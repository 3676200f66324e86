// Another tab of this browser signed out or in: this page follows it.
import { HOME, SIGN_IN, type Reactions } from "../reactions.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";
import type { AuthStore } from "./auth-store.ts";

export interface OtherTabsDeps {
  auth: AuthStore;
  account: AccountLifecycle;
  reactions: Reactions;
}

/**
 * Compares the stored token with this page's own. Where they differ, what the page shows belongs to the account of
 * before: it is cleared, and the account of the stored token enters. Drafts stay, since the other tab has already
 * decided about what is stored.
 */
export function followOtherTabs({ auth, account, reactions }: OtherTabsDeps): void {
  if (!auth.isOutdated()) return;
  const wasSignedIn = auth.token() !== null;
  auth.followStored();
  if (wasSignedIn) account.clear({ drafts: "leave" });
  if (auth.token() === null) return reactions.go(SIGN_IN, { replace: true });
  if (wasSignedIn) reactions.go(HOME, { replace: true });
  account.enter();
}
