// One call of the API: headers, envelope, trace id. Answers with the result or one of four kinds of error.
import type { Call, InputOf, ResponseOf } from "@plumb/protocol/wire/call";
import { readEnvelope } from "@plumb/protocol/wire/envelope";
import { RequestHeader, ResponseHeader } from "@plumb/protocol/wire/headers";
import { parseJson } from "@plumb/protocol/wire/json";
import type { ApiError, CallResult } from "./api-errors.ts";
import type { Browser, FetchInit } from "./browser.ts";
import type { ChallengeGate, HoldOptions } from "./guard/challenge-gate.ts";

/** A JSON call that hangs longer counts as lost (milliseconds). */
const CALL_TIMEOUT_MS = 30_000;

export interface CallOptions extends HoldOptions {
  headers?: Record<string, string>;
  timeoutMs?: number;
  /** In place of that of whoever is signed in now. */
  token?: string | null;
}

/** `body` is an event stream, or the stream call answered with a success in JSON (code 22). */
export type StreamAnswer =
  | { kind: "stream"; body: ReadableStream<Uint8Array>; logId: string }
  | { kind: "json"; bizCode: number; data: unknown; logId: string }
  | { kind: "error"; error: ApiError };

export interface ApiIdentity {
  token(): string | null;
  locale(): string;
  /** A global code came back with `data` on a call made with `token` (null: without one). */
  onGlobalCode(code: number, token: string | null, logId: string, data: unknown): void;
  /** Absent where no challenge can be passed. */
  gate?: ChallengeGate;
}

export type ApiClient = ReturnType<typeof createApiClient>;

export function createApiClient(browser: Browser, identity: ApiIdentity) {
  function headersFor(
    call: Call,
    token: string | null,
    extra: Record<string, string>,
  ): Record<string, string> {
    const headers: Record<string, string> = {
      [RequestHeader.AppVersion]: browser.appVersion,
      [RequestHeader.ClientPlatform]: "web",
      [RequestHeader.ClientVersion]: browser.appVersion,
      [RequestHeader.ClientLocale]: identity.locale(),
      [RequestHeader.ClientTimezoneOffset]: String(browser.timezoneOffsetSecs()),
      ...extra,
    };
    if (call.auth !== "none" && token !== null) headers[RequestHeader.Authorization] = `Bearer ${token}`;
    return headers;
  }

  function request(
    call: Call,
    input: unknown,
    token: string | null,
    options: CallOptions,
  ): Promise<Response> {
    const fields = Object.entries(input as Record<string, unknown>).filter(([, value]) => value != null);
    const init: FetchInit = { method: call.method, headers: headersFor(call, token, options.headers ?? {}) };
    if (options.signal !== undefined) init.signal = options.signal;
    if (call.method === "POST") {
      init.headers["content-type"] = "application/json";
      init.body = JSON.stringify(Object.fromEntries(fields));
      return browser.fetch(call.path, init);
    }
    const query = new URLSearchParams(
      fields.map(([key, value]): [string, string] => [key, String(value)]),
    ).toString();
    return browser.fetch(query === "" ? call.path : `${call.path}?${query}`, init);
  }

  /** What a rejected fetch or a body that broke off means. */
  function lost(error: unknown, signal: AbortSignal | undefined): ApiError {
    if (signal?.aborted) return { kind: "aborted" };
    return { kind: "network", reason: error instanceof Error ? error.message : String(error) };
  }

  /** Reads a JSON answer, whatever stands in it: a proxy in front may have written it. */
  async function readAnswer(call: Call, response: Response, token: string | null) {
    const traceId = response.headers.get(ResponseHeader.TraceId) ?? "";
    const parsed = parseJson(await response.text());
    const envelope = readEnvelope(parsed.ok ? parsed.value : null, call.successCodes);
    const { status } = response;
    const retryAfterSecs = retryAfterOf(response.headers, browser.now());
    if (envelope.kind === "not-an-envelope") {
      const error: ApiError =
        status >= 400
          ? { kind: "http", status, code: null, msg: "", logId: traceId, retryAfterSecs }
          : { kind: "network", reason: "the answer is no envelope" };
      return { kind: "error" as const, error };
    }
    const logId = envelope.logId === "" ? traceId : envelope.logId;
    if (envelope.kind === "ok") return { ...envelope, logId };
    const { code, msg, data } = envelope;
    if (envelope.kind === "global") {
      if (envelope.detail.length > 0) browser.log(`${call.path}: ${msg}`, envelope.detail);
      identity.onGlobalCode(code, token, logId, data);
    }
    const scope = envelope.kind === "global" ? ("global" as const) : ("call" as const);
    const error: ApiError =
      status >= 400
        ? { kind: "http", status, code, msg, logId, retryAfterSecs }
        : { kind: "refused", scope, code, msg, data, logId };
    return { kind: "error" as const, error };
  }

  const through: ChallengeGate["through"] = (options, send) =>
    identity.gate === undefined ? send() : identity.gate.through(options, send);

  /** A JSON call. Never rejects. */
  async function call<C extends Call>(
    to: C,
    input: InputOf<C>,
    options: CallOptions = {},
  ): Promise<CallResult<ResponseOf<C>>> {
    const { token = identity.token() } = options;
    return through(options, () => callOnce(to, input, token, options));
  }

  async function callOnce<C extends Call>(
    to: C,
    input: InputOf<C>,
    token: string | null,
    options: CallOptions,
  ): Promise<CallResult<ResponseOf<C>>> {
    const limit = new AbortController();
    const abort = (): void => limit.abort();
    if (options.signal?.aborted) return { ok: false, error: { kind: "aborted" } };
    options.signal?.addEventListener("abort", abort, { once: true });
    const cancel = browser.after(options.timeoutMs ?? CALL_TIMEOUT_MS, abort);
    try {
      const response = await request(to, input, token, { ...options, signal: limit.signal });
      const answer = await readAnswer(to, response, token);
      if (answer.kind === "error") return { ok: false, error: answer.error };
      return { ok: true, data: answer.data as ResponseOf<C>, logId: answer.logId };
    } catch (error) {
      return { ok: false, error: lost(error, options.signal) };
    } finally {
      cancel();
      options.signal?.removeEventListener("abort", abort);
    }
  }

  /** A call whose body is no JSON: `send` puts it on its way with the headers, and sees to its time limit. Never rejects. */
  async function callWith<C extends Call>(
    to: C,
    send: (headers: Record<string, string>) => Promise<Response>,
    options: Pick<CallOptions, "signal" | "headers" | "onHeld">,
  ): Promise<CallResult<ResponseOf<C>>> {
    const token = identity.token();
    return through(options, async (): Promise<CallResult<ResponseOf<C>>> => {
      try {
        const answer = await readAnswer(to, await send(headersFor(to, token, options.headers ?? {})), token);
        if (answer.kind === "error") return { ok: false, error: answer.error };
        return { ok: true, data: answer.data as ResponseOf<C>, logId: answer.logId };
      } catch (error) {
        return { ok: false, error: lost(error, options.signal) };
      }
    });
  }

  /** A stream call: by its content type, anything but an event stream is JSON (wire-contract.md §4). Never rejects. */
  async function openStream<C extends Call>(
    to: C,
    input: InputOf<C>,
    options: CallOptions = {},
  ): Promise<StreamAnswer> {
    const token = identity.token();
    return through(options, () => openOnce(to, input, token, options));
  }

  async function openOnce<C extends Call>(
    to: C,
    input: InputOf<C>,
    token: string | null,
    options: CallOptions,
  ): Promise<StreamAnswer> {
    try {
      const response = await request(to, input, token, options);
      const type = response.headers.get("content-type") ?? "";
      if (response.ok && response.body !== null && type.toLowerCase().startsWith("text/event-stream")) {
        return {
          kind: "stream",
          body: response.body,
          logId: response.headers.get(ResponseHeader.TraceId) ?? "",
        };
      }
      const answer = await readAnswer(to, response, token);
      if (answer.kind === "error") return answer;
      return { kind: "json", bizCode: answer.bizCode, data: answer.data, logId: answer.logId };
    } catch (error) {
      return { kind: "error", error: lost(error, options.signal) };
    }
  }

  return { call, callWith, openStream };
}

/** A longer wait is no wait of ours, but somebody's mistake. */
const LONGEST_WAIT_SECS = 999_999;

/**
 * The whole seconds that a Retry-After header asks for; null where it says none. A date is one of the server's clock, which
 * tells its own in `Date`; `now` in milliseconds stands in for that.
 */
function retryAfterOf(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after") ?? "";
  const sent = Date.parse(headers.get("date") ?? "");
  const secs = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - (Number.isNaN(sent) ? now : sent)) / 1000);
  return secs > 0 && secs <= LONGEST_WAIT_SECS ? secs : null;
}
