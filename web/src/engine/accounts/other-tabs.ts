// Another tab of this browser signed out or in, or changed the account: this page follows it.
import type { Browser } from "../browser.ts";
import { HOME, type Reactions } from "../reactions.ts";
import { type AccountLifecycle, pageAfter } from "./account-lifecycle.ts";
import type { AuthStore } from "./auth-store.ts";

/** How often, and how many times, it is looked whether the other tab's token has come over (milliseconds). */
const LOOK_EVERY_MS = 50;
const LOOKS = 40;

export interface OtherTabsDeps {
  browser: Browser;
  auth: AuthStore;
  account: AccountLifecycle;
  reactions: Reactions;
  /** Asks the server about the account once more. */
  checkAccount(): void;
}

/**
 * Another tab says that this is the stored token: follows once it can be read here, after 2 s in any case. Where it is this
 * page's own, something else of its account has changed.
 */
export function followAccountNews(deps: OtherTabsDeps, token: string | null, looks = LOOKS): void {
  if (looks === 0 || deps.auth.hasStored(token)) {
    if (!followOtherTabs(deps) && deps.auth.hasToken()) deps.checkAccount();
    return;
  }
  deps.browser.after(LOOK_EVERY_MS, () => followAccountNews(deps, token, looks - 1));
}

/**
 * Compares the stored token with this page's own. Where they differ, what the page shows belongs to the account of
 * before: it is cleared, and the account of the stored token enters. Drafts stay, since the other tab has already
 * decided about what is stored. False where they don't.
 */
export function followOtherTabs({
  auth,
  account,
  reactions,
}: Pick<OtherTabsDeps, "auth" | "account" | "reactions">): boolean {
  if (!auth.isOutdated()) return false;
  const wasSignedIn = auth.token() !== null;
  auth.followStored();
  if (wasSignedIn) account.clear({ drafts: "leave" });
  if (auth.token() === null) {
    reactions.go(pageAfter(auth.store.getState().reason), { replace: true });
    return true;
  }
  if (wasSignedIn) reactions.go(HOME, { replace: true });
  account.enter();
  return true;
}
