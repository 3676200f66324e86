// The four ways a call can end without its result. Screens never see these: tables turn them into texts.

/** The server understood and said no: a global code, or a `biz_code` of the call (wire-contract.md §1.4). HTTP status 200. */
export interface RefusedError {
  kind: "refused";
  scope: "global" | "call";
  code: number;
  msg: string;
  /** `biz_data` of a business error, `data` of a global one. */
  data: unknown;
  logId: string;
}

/** A status ≥ 400. `code` is the global code where the body was an envelope, null behind a foreign proxy. */
export interface HttpError {
  kind: "http";
  status: number;
  code: number | null;
  msg: string;
  logId: string;
  /** How long to wait before another try, as the answer said; null where it said nothing. */
  retryAfterSecs: number | null;
}

/** No answer, a broken one, or one that took too long. */
interface NetworkError {
  kind: "network";
  reason: string;
}

/** We ended it ourselves. */
interface AbortedError {
  kind: "aborted";
}

export type ApiError = RefusedError | HttpError | NetworkError | AbortedError;

export type CallResult<T> = { ok: true; data: T; logId: string } | { ok: false; error: ApiError };

/** Whether another try may help without anyone's doing: network, 5xx, 429 (wire-contract.md §4.9). */
export function isPassing(error: ApiError): boolean {
  return error.kind === "network" || (error.kind === "http" && (error.status >= 500 || error.status === 429));
}
