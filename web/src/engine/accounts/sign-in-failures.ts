// What a form before sign-in shows for a refusal, and that of signing in by password (wire-contract.md §18.4).
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { LoginRefusal } from "@plumb/protocol/wire/sign-in";
import type { ApiError } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";

/** A field of a form that the server can find fault with. */
export type FormField = "email" | "mobile" | "code" | "password";

/** Result of a form's call: ok, or the text and, where known, the field it belongs to. */
export type FormResult = { ok: true } | { ok: false; field: FormField | null; text: Text };

export type FailureTable = ReadonlyMap<number, { field: FormField | null; text: Text }>;

/** A text without a number, and the same with the number of a refusal that the table does not know. */
export type Fallback = (code: number | null) => Text;

export const withCode =
  (plain: { key: string }, numbered: { key: string }): Fallback =>
  (code) =>
    code === null ? plain : { ...numbered, params: { code } };

export const LOGIN_FAILURES: FailureTable = new Map([
  [LoginRefusal.PasswordOrUserNameIsWrong.code, { field: null, text: { key: "passwordOrUserWrong" } }],
  [LoginRefusal.UserIsBanned.code, { field: null, text: { key: "accountSuspended" } }],
  [LoginRefusal.RiskDeviceDetected.code, { field: null, text: { key: "deviceEnvironmentError" } }],
]);

export const loginFallback = withCode({ key: "loginFailed" }, { key: "loginFailedCode" });

/** True for this refusal of the call itself. */
export function isRefused(error: ApiError, refusal: RefusalCode): boolean {
  return error.kind === "refused" && error.scope === "call" && error.code === refusal.code;
}

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
  // Nothing of a form is a message: what is too long for the server is none that it knows.
  if (error.kind === "http" && error.status === 413)
    return { ok: false, field: null, text: fallback(error.code ?? error.status) };
  return { ok: false, field: null, text: errorText(error) ?? fallback(null) };
}
