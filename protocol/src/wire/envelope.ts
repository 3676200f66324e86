// The envelope around every JSON answer, in both directions (wire-contract.md §1.4).
import type { Call, RefusalCode } from "./call.ts";
import type { GlobalCode } from "./global-codes.ts";
import { isRecord } from "./json.ts";

/** One violation of a request schema; `loc` is `body.`, `query.` or `header.` and the field's path. */
export interface Detail {
  loc: string;
  msg: string;
}

export interface EnvelopeData {
  biz_code: number;
  biz_msg: string;
  biz_data: unknown;
  /** Mirrors biz_code. */
  code: number;
  [key: string]: unknown;
}

export interface Envelope {
  code: number;
  msg: string;
  data: EnvelopeData | null;
  context: { logId: string };
  detail?: readonly Detail[];
}

const SUCCESS: RefusalCode = { code: 0, msg: "" };

/** Success with `biz_code` 0. */
export function envelopeOk(traceId: string, data: unknown): Envelope {
  return executed(traceId, SUCCESS, data);
}

/** A business "no", or a success with a number of its own. `detail` only for schema errors of stream calls. */
export function envelopeRefused(
  traceId: string,
  refusal: RefusalCode,
  data: unknown = null,
  detail?: readonly Detail[],
): Envelope {
  return { ...executed(traceId, refusal, data), ...(detail === undefined ? {} : { detail }) };
}

/**
 * A call that was not executed. `data` is null for all codes but the mute (`muteData`); its number and constant are
 * mirrored into it.
 */
export function envelopeGlobal(
  traceId: string,
  global: GlobalCode,
  options: { data?: Readonly<Record<string, unknown>> | null; detail?: readonly Detail[] | undefined } = {},
): Envelope {
  const { data = null, detail } = options;
  return {
    code: global.code,
    msg: global.msg,
    data: data === null ? null : { ...executedData(global, null), ...data },
    context: { logId: traceId },
    ...(detail === undefined ? {} : { detail }),
  };
}

/**
 * The text before and after a `biz_data` that is written piece by piece: `head + biz_data + tail` is the envelope of a
 * success.
 */
export function envelopeAround(traceId: string, outcome: RefusalCode): [head: string, tail: string] {
  const place = JSON.stringify("biz_data") + ":null";
  const text = JSON.stringify(executed(traceId, outcome, null));
  const at = text.indexOf(place) + place.length;
  return [text.slice(0, at - "null".length), text.slice(at)];
}

/** What Global.UserIsMuted carries; `endAt` is unix seconds, sent as an integer. */
export function muteData(endAt: number): { end_at: number; mute_until: number } {
  const end = Math.floor(endAt);
  return { end_at: end, mute_until: end };
}

/**
 * Envelope of an answer to `call`, as the call asks for it: account results carry code and msg inside biz_data, and
 * repeated keys are beside it. `outcome` defaults to success.
 */
export function envelopeFor(
  call: Pick<Call, "answers" | "repeatedKeys">,
  traceId: string,
  data: unknown,
  outcome: RefusalCode = SUCCESS,
): Envelope {
  const bizData = call.answers === "account" ? accountResult(outcome, data) : data;
  const envelope = executed(traceId, outcome, bizData);
  if (!isRecord(bizData)) return envelope;
  const repeated = call.repeatedKeys
    .filter((key) => Object.hasOwn(bizData, key))
    .map((key) => [key, bizData[key]]);
  return { ...envelope, data: { ...Object.fromEntries(repeated), ...executedData(outcome, bizData) } };
}

/** biz_data of an account result: its own fields with code and msg. */
function accountResult(outcome: RefusalCode, data: unknown): Record<string, unknown> {
  return { ...(isRecord(data) ? data : {}), code: outcome.code, msg: outcome.msg };
}

/** What a client makes of a body. `data` of "ok" and "refused" is biz_data; of "global" the envelope's own data. */
export type ReadEnvelope =
  | { kind: "ok"; data: unknown; bizCode: number; logId: string }
  | { kind: "refused"; code: number; msg: string; data: unknown; logId: string }
  | {
      kind: "global";
      code: number;
      msg: string;
      data: Record<string, unknown> | null;
      detail: readonly Detail[];
      logId: string;
    }
  | { kind: "not-an-envelope" };

/** Reads any parsed JSON without throwing. `successCodes` are those of the call. */
export function readEnvelope(body: unknown, successCodes: readonly number[] = [0]): ReadEnvelope {
  if (!isRecord(body) || !Number.isInteger(body["code"])) return { kind: "not-an-envelope" };
  const code = body["code"] as number;
  const logId = isRecord(body["context"]) ? textOf(body["context"]["logId"]) : "";
  const data = isRecord(body["data"]) ? body["data"] : null;
  if (code !== 0) {
    return {
      kind: "global",
      code,
      msg: textOf(body["msg"]),
      data,
      detail: readDetail(body["detail"]),
      logId,
    };
  }
  const bizCode = data?.["biz_code"];
  if (data === null || !Number.isInteger(bizCode)) return { kind: "not-an-envelope" };
  const bizData = data["biz_data"] ?? null;
  if (bizCode === 0 || successCodes.includes(bizCode as number)) {
    return { kind: "ok", data: bizData, bizCode: bizCode as number, logId };
  }
  return { kind: "refused", code: bizCode as number, msg: textOf(data["biz_msg"]), data: bizData, logId };
}

function executed(traceId: string, outcome: RefusalCode, data: unknown): Envelope {
  return { code: 0, msg: "", data: executedData(outcome, data), context: { logId: traceId } };
}

function executedData(outcome: RefusalCode, data: unknown): EnvelopeData {
  return { biz_code: outcome.code, biz_msg: outcome.msg, biz_data: data ?? null, code: outcome.code };
}

function readDetail(value: unknown): Detail[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((item) => ({ loc: textOf(item["loc"]), msg: textOf(item["msg"]) }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
