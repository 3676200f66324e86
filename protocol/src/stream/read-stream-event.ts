// One frame's name and data → an event, checked by hand: this runs for every token (wire-contract.md §4.3).
import { LIMITS } from "../limits.ts";
import { isDelta } from "./delta.ts";
import type { StreamEvent } from "./stream-event.ts";

type Fields = Record<string, unknown>;

/**
 * Reads an event. "unknown" for an event name this version does not know, "json" for data that does not parse,
 * "schema" for data of another shape than the event has. Keys beyond the schema are kept.
 */
export function readStreamEvent(
  name: string | null,
  data: string,
): StreamEvent | "unknown" | "json" | "schema" {
  const type = name === null || name === "message" ? "delta" : name;
  if (!Object.hasOwn(CHECKS, type)) return "unknown";
  const value = parseJson(data);
  if (value === undefined) return "json";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "schema";
  const check = CHECKS[type as StreamEvent["type"]];
  return check(value as Fields) ? ({ type, data: value } as StreamEvent) : "schema";
}

const CHECKS: Record<StreamEvent["type"], (data: Fields) => boolean> = {
  delta: isDelta,
  ready: (data) =>
    isId(data["request_message_id"]) &&
    isId(data["response_message_id"]) &&
    isOptional(data["model_type"], isString),
  update_session: (data) =>
    isNumber(data["updated_at"]) &&
    isOptional(data["version"], isNumber) &&
    isOptional(data["thinking_quota"], isQuota),
  title: (data) => isString(data["content"]) && [...data["content"]].length <= LIMITS.titleChars,
  toast: (data) =>
    isLevel(data["type"]) &&
    isString(data["content"]) &&
    isOptional(data["clear_response"], isBoolean) &&
    isOptional(data["finish_reason"], isStringOrNull),
  hint: (data) =>
    isLevel(data["type"]) &&
    isString(data["content"]) &&
    isBoolean(data["clear_response"]) &&
    isClick(data["click_behavior"]) &&
    isStringOrNull(data["finish_reason"]) &&
    isOptional(data["retry_after"], isNumber),
  finish: () => true,
  close: (data) => isClick(data["click_behavior"]) && isBoolean(data["auto_resume"]),
};

/** Undefined, which no JSON text means, for text that does not parse. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOptional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isStringOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isLevel(value: unknown): boolean {
  return value === "error" || value === "warning";
}

function isClick(value: unknown): boolean {
  return value === "retry" || value === "none";
}

function isQuota(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { quota, used, reset_at } = value as Fields;
  return Number.isSafeInteger(quota) && Number.isSafeInteger(used) && Number.isSafeInteger(reset_at);
}
