// Signing out.
import { logout } from "@plumb/protocol/wire/accounts";
import type { ApiClient } from "../api-client.ts";
import type { Reactions } from "../reactions.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";

interface SignOutDeps {
  api: ApiClient;
  account: AccountLifecycle;
  reactions: Reactions;
}

/** Ends the token here whatever the server says: the user wants to be out. */
export async function signOut({ api, account, reactions }: SignOutDeps): Promise<void> {
  const ending = api.call(logout, {});
  account.leave("signed-out");
  const result = await ending;
  // A token that was bad already is as good as ended.
  if (!result.ok && !(result.error.kind === "refused" && result.error.scope === "global"))
    reactions.toast({ type: "error", text: { key: "logoutFailed" } });
}
