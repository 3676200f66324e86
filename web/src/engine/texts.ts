// Texts of codes that any call can answer (wire-contract.md §18.1), and what a call's own fallback looks like.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { ApiError } from "./api-errors.ts";
import type { Text } from "./text.ts";

const GLOBAL_TEXTS: ReadonlyMap<number, Text> = new Map([
  [Global.MissingToken.code, { key: "loginRequired" }],
  [Global.InvalidToken.code, { key: "signedOut" }],
  [Global.UserIsBanned.code, { key: "accountSuspended" }],
  [Global.MobileNotVerified.code, { key: "mobileNotVerified" }],
  [Global.AccountUnderReview.code, { key: "accountUnderReview" }],
  [Global.BirthdayRequired.code, { key: "birthdayRequired" }],
  [Global.IpAccessRestricted.code, { key: "tooManyRequests" }],
  [Global.BotChallenge.code, { key: "botChallenge" }],
  [Global.NotFound.code, { key: "resourceNotFound" }],
  [Global.MethodNotAllowed.code, { key: "unexpectedRequest3" }],
  [Global.LinkExpired.code, { key: "linkExpired" }],
  [Global.BodyTooLarge.code, { key: "messageTooLong" }],
  [Global.InvalidParams.code, { key: "unexpectedRequest3" }],
  [Global.RateLimitReached.code, { key: "rateLimitReached" }],
  [Global.RpdRateLimitReached.code, { key: "rpdRateLimitReached" }],
  [Global.TooManyConcurrentRequests.code, { key: "tooManyConcurrentRequests" }],
  [Global.OperationTooFrequent.code, { key: "operationTooFrequent" }],
  [Global.ServerBusy.code, { key: "serverBusy" }],
  [Global.InternalError.code, { key: "serverUnavailable" }],
  [Global.ServiceUnavailable.code, { key: "serverUnavailable" }],
]);

/** The texts of limits that pass by themselves, with the time to wait. */
const tooOften = { key: "tooOftenFor" };
const WAIT_TEXTS: Readonly<Record<string, { key: string }>> = {
  rateLimitReached: tooOften,
  tooManyRequests: { key: "tooManyRequestsFor" },
  operationTooFrequent: tooOften,
};

/** The text of a limit with the seconds to wait, where both are known. */
export function withWait(text: Text, secs: number | null): Text {
  const withTime = "key" in text ? WAIT_TEXTS[text.key] : undefined;
  return withTime === undefined || secs === null ? text : { ...withTime, params: { wait: { wait: secs } } };
}

/** The text of a global code with its values; null when the code is none we know. */
export function globalText(code: number, data: unknown, logId: string): Text | null {
  if (code === Global.PowHeaderError.code || code === Global.InvalidPowResponse.code) {
    return { key: "validationFailed", params: { code, logId } };
  }
  if (code === Global.UserIsMuted.code) {
    return { key: "accountMutedUntil", params: { end_at: { moment: numberAt(data, "end_at") } } };
  }
  return GLOBAL_TEXTS.get(code) ?? null;
}

/** The text of an error that is no business code of the call; null for those that are silent or are one. */
export function errorText(error: ApiError): Text | null {
  switch (error.kind) {
    case "aborted":
      return null;
    case "network":
      return { key: "networkError" };
    case "http":
      if (error.code !== null) {
        const text = globalText(error.code, null, error.logId);
        if (text !== null) return withWait(text, error.retryAfterSecs);
      }
      if (error.status === 429) return withWait({ key: "rateLimitReached" }, error.retryAfterSecs);
      if (error.status >= 500) return { key: "serverUnavailable" };
      return { key: "unexpectedRequest3Code", params: { code: error.status } };
    case "refused":
      return error.scope === "global" ? globalText(error.code, error.data, error.logId) : null;
  }
}

/** The one text of a call that fails, without and with the number of the refusal. */
const FAILURES = {
  createSession: (code: number | null): Text =>
    code === null ? { key: "createSessionFailed" } : { key: "createSessionFailedCode", params: { code } },
  rename: (code: number | null): Text =>
    code === null ? { key: "renameFailed" } : { key: "renameFailedCode", params: { code } },
  feedback: (code: number | null): Text =>
    code === null ? { key: "feedbackFailed" } : { key: "feedbackFailedCode", params: { code } },
  pin: (code: number | null): Text =>
    code === null ? { key: "pinFailed" } : { key: "pinFailedCode", params: { code } },
  delete: (code: number | null): Text =>
    code === null ? { key: "deleteFailed" } : { key: "deleteFailedCode", params: { code } },
};

/**
 * The text of a failed call that has one text for all its refusals: a number that is not among its own `refusals` is
 * shown with the text (wire-contract.md §18). A rate limit has its own text.
 */
export function failureText(
  error: ApiError,
  call: keyof typeof FAILURES,
  refusals: Readonly<Record<string, RefusalCode>>,
): Text {
  const text = FAILURES[call];
  if (error.kind === "network" && call === "rename") return { key: "renameFailedNetwork" };
  if (error.kind === "http" && error.status === 429) return errorText(error) ?? text(null);
  if (error.kind !== "refused" || error.scope !== "call") return text(null);
  const { code } = error;
  return text(Object.values(refusals).some((refusal) => refusal.code === code) ? null : code);
}

/** The number under a key of data of unknown shape, 0 when there is none. */
export function numberAt(data: unknown, key: string): number {
  if (typeof data !== "object" || data === null) return 0;
  const value = (data as Record<string, unknown>)[key];
  return typeof value === "number" ? value : 0;
}
