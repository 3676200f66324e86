// Signing in, up and out by email, and asking for a code. Results are texts for the form (wire.md §18.4).
import { LIMITS } from "@plumb/protocol/limits";
import { isPhone } from "@plumb/protocol/rules/sign-in-rules";
import {
  createEmailVerificationCode,
  EmailCodeRefusal,
  login,
  LoginRefusal,
  logout,
  register,
  RegisterRefusal,
} from "@plumb/protocol/wire/accounts";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { FormResult, Text } from "../engine.ts";
import type { Proof, ProofOfWork } from "../guard/proof-of-work.ts";
import { errorText, numberAt } from "../texts.ts";
import type { AuthStore } from "./auth-store.ts";
import type { CodeTimer } from "./code-timer.ts";

type Failure = Extract<FormResult, { ok: false }>;
type FailureTable = ReadonlyMap<number, Omit<Failure, "ok">>;

const LOGIN_FAILURES: FailureTable = new Map([
  [LoginRefusal.PasswordOrUserNameIsWrong.code, { field: null, text: { key: "passwordOrUserWrong" } }],
  [LoginRefusal.UserIsBanned.code, { field: null, text: { key: "accountSuspended" } }],
  [LoginRefusal.RiskDeviceDetected.code, { field: null, text: { key: "deviceEnvironmentError" } }],
]);

const REGISTER_FAILURES: FailureTable = new Map([
  [RegisterRefusal.EmailExists.code, { field: "email", text: { key: "emailExists" } }],
  [RegisterRefusal.EmailCodeInvalid.code, { field: "code", text: { key: "codeFormatInvalid" } }],
  [RegisterRefusal.InvalidEmailFormat.code, { field: "email", text: { key: "emailInvalid" } }],
  [RegisterRefusal.InvalidPassword.code, { field: "password", text: { key: "passwordInvalid" } }],
  [RegisterRefusal.RegistrationClosed.code, { field: null, text: { key: "registrationClosed" } }],
  [RegisterRefusal.FromMainland.code, { field: null, text: { key: "emailNotInRegion" } }],
  [RegisterRefusal.CodeExpired.code, { field: "code", text: { key: "codeExpired" } }],
  [RegisterRefusal.PasscodeFailed.code, { field: "code", text: { key: "codeWrong" } }],
  [RegisterRefusal.EmailDomainNotSupported.code, { field: null, text: { key: "emailDomainNotSupported" } }],
]);

const CODE_FAILURES: FailureTable = new Map([
  [EmailCodeRefusal.EmailSendTooFrequent.code, { field: null, text: { key: "codeTooFrequent" } }],
  [EmailCodeRefusal.CaptchaFailed.code, { field: null, text: { key: "deviceEnvironmentError" } }],
  [EmailCodeRefusal.InvalidEmailFormat.code, { field: "email", text: { key: "emailInvalid" } }],
  [
    EmailCodeRefusal.EmailDomainNotWhitelisted.code,
    { field: null, text: { key: "emailDomainNotSupported" } },
  ],
  [EmailCodeRefusal.EmailCloudError.code, { field: null, text: { key: "emailSendFailed" } }],
]);

type Fallback = (code: number | null) => Text;
const withCode =
  (plain: Text, coded: (code: number) => Text): Fallback =>
  (code) =>
    code === null ? plain : coded(code);
const loginFallback = withCode({ key: "loginFailed" }, (code) => ({
  key: "loginFailedCode",
  params: { code },
}));
const signUpFallback = withCode({ key: "signUpFailed" }, (code) => ({
  key: "signUpFailedCode",
  params: { code },
}));
const codeFallback = withCode({ key: "emailSendFailed" }, (code) => ({
  key: "emailSendFailedCode",
  params: { code },
}));

function failure(error: ApiError | null, table: FailureTable, fallback: Fallback): Failure {
  if (error === null) return { ok: false, field: null, text: fallback(null) };
  if (error.kind === "refused" && error.scope === "call") {
    const known = table.get(error.code);
    return known ? { ok: false, ...known } : { ok: false, field: null, text: fallback(error.code) };
  }
  return { ok: false, field: null, text: errorText(error) ?? fallback(null) };
}

export interface SignInDeps {
  api: ApiClient;
  proofs: ProofOfWork;
  auth: AuthStore;
  codeTimer: CodeTimer;
  locale(): "zh_CN" | "en_US";
  /** Called once a new token is in place. */
  onSignedIn(): void;
  onBanned(): void;
  onSignedOut(): void;
  onLogoutFailed(): void;
}

export function createSignIn(deps: SignInDeps) {
  const { api, proofs, auth, codeTimer } = deps;
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
        deps.onBanned();
      }
      return failure(error, LOGIN_FAILURES, loginFallback);
    }
    auth.signedIn(result.data.user);
    deps.onSignedIn();
    return { ok: true };
  }

  async function signUp(input: { email: string; password: string; code: string }): Promise<FormResult> {
    const proof = await proofs.guest(register.path);
    if (!proof.ok) return failure(proof.error, REGISTER_FAILURES, signUpFallback);
    const payload = {
      email: input.email.trim(),
      email_verification_code: input.code.trim(),
      password: input.password,
    };
    const body = { payload, locale: deps.locale(), os: "web" as const };
    const result = await api.call(register, body, { headers: guestHeader(proof) });
    if (!result.ok) return failure(result.error, REGISTER_FAILURES, signUpFallback);
    auth.signedIn(result.data.user);
    deps.onSignedIn();
    return { ok: true };
  }

  /** Sends a code and starts the timer, also where the server says that one was sent less than a minute ago. */
  async function sendEmailCode(input: { email: string; scenario: "register" }): Promise<FormResult> {
    const proof = await proofs.guest(createEmailVerificationCode.path);
    if (!proof.ok) return failure(proof.error, CODE_FAILURES, codeFallback);
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
    return failure(error, CODE_FAILURES, codeFallback);
  }

  /** Ends the token here whatever the server says: the user wants to be out. */
  async function signOut(): Promise<void> {
    const ending = api.call(logout, {});
    deps.onSignedOut();
    const result = await ending;
    // A token that was bad already is as good as ended.
    if (!result.ok && !(result.error.kind === "refused" && result.error.scope === "global"))
      deps.onLogoutFailed();
  }

  return { signIn, signUp, sendEmailCode, signOut };
}
