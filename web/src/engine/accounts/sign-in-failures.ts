// What the forms of sign-in and sign-up show for each refusal (wire-contract.md §18.4).
import { LoginRefusal } from "@plumb/protocol/wire/sign-in";
import { RegisterRefusal } from "@plumb/protocol/wire/sign-up";
import { EmailCodeRefusal } from "@plumb/protocol/wire/verification-codes";
import type { ApiError } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";

/** Result of a form's call: ok, or the text and, where known, the field it belongs to. */
export type FormResult =
  { ok: true } | { ok: false; field: "email" | "code" | "password" | null; text: Text };

type FailureTable = ReadonlyMap<number, Omit<Extract<FormResult, { ok: false }>, "ok">>;

export const LOGIN_FAILURES: FailureTable = new Map([
  [LoginRefusal.PasswordOrUserNameIsWrong.code, { field: null, text: { key: "passwordOrUserWrong" } }],
  [LoginRefusal.UserIsBanned.code, { field: null, text: { key: "accountSuspended" } }],
  [LoginRefusal.RiskDeviceDetected.code, { field: null, text: { key: "deviceEnvironmentError" } }],
]);

export const REGISTER_FAILURES: FailureTable = new Map([
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

export const CODE_FAILURES: FailureTable = new Map([
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
export const loginFallback = withCode({ key: "loginFailed" }, (code) => ({
  key: "loginFailedCode",
  params: { code },
}));
export const signUpFallback = withCode({ key: "signUpFailed" }, (code) => ({
  key: "signUpFailedCode",
  params: { code },
}));
export const codeFallback = withCode({ key: "emailSendFailed" }, (code) => ({
  key: "emailSendFailedCode",
  params: { code },
}));

/** What the form shows for an error; null = the puzzle of a guest has no answer. */
export function formFailure(
  error: ApiError | null,
  table: FailureTable,
  fallback: Fallback,
): Extract<FormResult, { ok: false }> {
  if (error === null) return { ok: false, field: null, text: fallback(null) };
  if (error.kind === "refused" && error.scope === "call") {
    const known = table.get(error.code);
    return known ? { ok: false, ...known } : { ok: false, field: null, text: fallback(error.code) };
  }
  return { ok: false, field: null, text: errorText(error) ?? fallback(null) };
}
