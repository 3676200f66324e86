// Signing in and up by email, and asking for a code. Results are texts for the form (wire-contract.md §18.4).
import { LIMITS } from "@plumb/protocol/limits";
import { isPhone } from "@plumb/protocol/rules/sign-in-rules";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import { login, LoginRefusal } from "@plumb/protocol/wire/sign-in";
import { register } from "@plumb/protocol/wire/sign-up";
import { createEmailVerificationCode, EmailCodeRefusal } from "@plumb/protocol/wire/verification-codes";
import type { ApiClient } from "../api-client.ts";
import type { Proof, ProofOfWork } from "../guard/proof-of-work.ts";
import type { Locale } from "../site/locale.ts";
import { numberAt } from "../texts.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";
import type { AuthStore } from "./auth-store.ts";
import type { CodeTimer } from "./code-timer.ts";
import { withDeviceId } from "./with-device-id.ts";
import { finishOauth } from "./oauth.ts";
import {
  CODE_FAILURES,
  codeFallback,
  formFailure,
  LOGIN_FAILURES,
  loginFallback,
  REGISTER_FAILURES,
  signUpFallback,
  type FormResult,
} from "./sign-in-failures.ts";

export interface SignInDeps {
  api: ApiClient;
  proofs: ProofOfWork;
  auth: AuthStore;
  codeTimer: CodeTimer;
  account: AccountLifecycle;
  locale(): Locale;
  /** Which device this is; null where that cannot be known. */
  deviceId(): Promise<string | null>;
}

export function createSignIn(deps: SignInDeps) {
  const { proofs, auth, account, codeTimer } = deps;
  const api = withDeviceId(deps.api, deps.deviceId);
  const guestHeader = (proof: Extract<Proof, { ok: true }>): Record<string, string> => ({
    [RequestHeader.GuestPowResponse]: proof.header,
  });

  /** `identifier` is an email, or a phone number where that is what it looks like. */
  async function signIn(input: { identifier: string; password: string }): Promise<FormResult> {
    const identifier = input.identifier.trim();
    const who = isPhone(identifier) ? { mobile: identifier } : { email: identifier };
    const result = await api.call(login, { ...who, password: input.password, os: "web" });
    if (!result.ok) {
      const { error } = result;
      if (
        error.kind === "refused" &&
        error.scope === "call" &&
        error.code === LoginRefusal.UserIsBanned.code
      ) {
        account.leave("banned");
      }
      return formFailure(error, LOGIN_FAILURES, loginFallback);
    }
    auth.signedIn(result.data.user);
    account.enter();
    return { ok: true };
  }

  async function signUp(input: { email: string; password: string; code: string }): Promise<FormResult> {
    const proof = await proofs.guest(register.path);
    if (!proof.ok) return formFailure(proof.error, REGISTER_FAILURES, signUpFallback);
    const payload = {
      email: input.email.trim(),
      email_verification_code: input.code.trim(),
      password: input.password,
    };
    const body = { payload, locale: deps.locale(), os: "web" as const };
    const result = await api.call(register, body, { headers: guestHeader(proof) });
    if (!result.ok) return formFailure(result.error, REGISTER_FAILURES, signUpFallback);
    auth.signedIn(result.data.user);
    account.enter();
    return { ok: true };
  }

  /** Sends a code and starts the timer, also where the server says that one was sent less than a minute ago. */
  async function sendEmailCode(input: { email: string; scenario: "register" }): Promise<FormResult> {
    const proof = await proofs.guest(createEmailVerificationCode.path);
    if (!proof.ok) return formFailure(proof.error, CODE_FAILURES, codeFallback);
    const body = { email: input.email.trim(), scenario: input.scenario, locale: deps.locale() };
    const result = await api.call(createEmailVerificationCode, body, { headers: guestHeader(proof) });
    if (result.ok) {
      codeTimer.start(result.data.send_window_secs || LIMITS.codeSendWindowSecs);
      return { ok: true };
    }
    const { error } = result;
    const tooSoon = EmailCodeRefusal.EmailSendTooFrequent.code;
    if (error.kind === "refused" && error.scope === "call" && error.code === tooSoon) {
      codeTimer.start(numberAt(error.data, "send_window_secs") || LIMITS.codeSendWindowSecs);
    }
    return formFailure(error, CODE_FAILURES, codeFallback);
  }

  return {
    signIn,
    signUp,
    sendEmailCode,
    finishOauth: (input: Parameters<typeof finishOauth>[1]) => finishOauth(deps, input),
  };
}
