// Signing out.
import { logout } from "@plumb/protocol/wire/accounts";
import type { ApiClient } from "../api-client.ts";
import { isPassing } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";
import type { AuthStore } from "./auth-store.ts";

/** How often the server is told again where it could not be reached (milliseconds). */
const TELL_EVERY_MS = 30_000;

interface SignOutDeps {
  browser: Browser;
  auth: AuthStore;
  api: ApiClient;
  account: AccountLifecycle;
  reactions: Reactions;
}

/**
 * Ends the token here whatever the server says: the user wants to be out. Until the server has heard of it the token is kept
 * in this page's memory alone: stored it would be there for whoever comes next.
 */
export async function signOut({ browser, api, auth, account, reactions }: SignOutDeps): Promise<void> {
  const token = auth.token();
  const end = () => api.call(logout, {}, { token });
  const ending = end();
  account.leave("signed-out");
  const result = await ending;
  // A token that was bad already is as good as ended.
  if (result.ok || (result.error.kind === "refused" && result.error.scope === "global")) return;
  reactions.toast({ type: "error", text: { key: "logoutFailed" } });
  const tellAgain = async (): Promise<void> => {
    const again = await end();
    if (again.ok || !isPassing(again.error)) stop();
  };
  const stop = browser.every(TELL_EVERY_MS, () => void tellAgain());
}
