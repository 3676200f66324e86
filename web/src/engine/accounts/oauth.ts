// The end of a sign-in elsewhere: the nonce of /authorized becomes a token, and the token an account (wire-contract.md §8.11).
import { currentUser, logout } from "@plumb/protocol/wire/accounts";
import { getOauthToken, GetTokenRefusal, type OauthProvider } from "@plumb/protocol/wire/oauth";
import type { ApiClient } from "../api-client.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";
import type { AuthStore } from "./auth-store.ts";
import { formFailure, loginFallback, type FormResult } from "./sign-in-failures.ts";

const TOKEN_FAILURES = new Map([
  [GetTokenRefusal.NonceInvalid.code, { field: null, text: { key: "loginFailed" } }],
  [GetTokenRefusal.UserIsBanned.code, { field: null, text: { key: "accountSuspended" } }],
]);

/** Stores the token before anything else is asked with it. A failure takes it back and leaves the page signed out. */
export async function finishOauth(
  { api, auth, account }: { api: ApiClient; auth: AuthStore; account: AccountLifecycle },
  input: { nonce: string; provider: OauthProvider },
): Promise<FormResult> {
  const exchanged = await api.call(getOauthToken, input);
  if (!exchanged.ok) {
    const { error } = exchanged;
    const banned = GetTokenRefusal.UserIsBanned.code;
    if (error.kind === "refused" && error.scope === "call" && error.code === banned)
      account.leave("banned", "leave");
    return formFailure(error, TOKEN_FAILURES, loginFallback);
  }
  auth.received(exchanged.data.token);
  const profile = await api.call(currentUser, {});
  if (!profile.ok) {
    // Nobody was here yet: what is stored is of somebody before, or says where this sign-in was to lead.
    if (auth.hasToken()) {
      auth.signedOut("signed-out");
      void api.call(logout, {}, { token: exchanged.data.token });
    }
    return formFailure(profile.error, new Map(), loginFallback);
  }
  auth.signedIn({ ...profile.data, token: exchanged.data.token });
  account.enter();
  return { ok: true };
}
