// Signing in by password and elsewhere. Results are texts for the form (wire-contract.md §18.4).
import { isPhone } from "@plumb/protocol/rules/sign-in-rules";
import { login, LoginRefusal } from "@plumb/protocol/wire/sign-in";
import type { ApiClient } from "../api-client.ts";
import type { CaptchaFields } from "../guard/captcha.ts";
import type { Preferences } from "../site/preferences.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";
import type { AuthStore } from "./auth-store.ts";
import { googleAddress } from "./oauth-redirects.ts";
import { finishOauth } from "./oauth.ts";
import {
  formFailure,
  isRefused,
  LOGIN_FAILURES,
  loginFallback,
  type FormResult,
} from "./sign-in-failures.ts";
import { withDeviceId } from "./with-device-id.ts";

export interface SignInDeps {
  api: ApiClient;
  auth: AuthStore;
  account: AccountLifecycle;
  /** Which device this is; null where that cannot be known. */
  deviceId(): Promise<string | null>;
  /** Keeps by which way the last sign-in came. */
  remember(wanted: Pick<Preferences, "loginMethod">): void;
}

export function createSignIn(deps: SignInDeps) {
  const { auth, account } = deps;
  const api = withDeviceId(deps.api, deps.deviceId);

  /** `identifier` is an email, or a phone number where that is what it looks like. */
  async function signIn(input: { identifier: string; password: string }): Promise<FormResult> {
    const identifier = input.identifier.trim();
    const who = isPhone(identifier) ? { mobile: identifier } : { email: identifier };
    const result = await api.call(login, { ...who, password: input.password, os: "web" });
    if (!result.ok) {
      if (isRefused(result.error, LoginRefusal.UserIsBanned)) account.leave("banned", "leave");
      return formFailure(result.error, LOGIN_FAILURES, loginFallback);
    }
    deps.remember({ loginMethod: "password" });
    auth.signedIn(result.data.user);
    account.enter();
    return { ok: true };
  }

  return {
    signIn,
    googleAddress: async (captcha: CaptchaFields) => googleAddress(captcha, await deps.deviceId()),
    finishOauth: (input: Parameters<typeof finishOauth>[1]) => finishOauth(deps, input),
  };
}
