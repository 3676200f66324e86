// Looks into JSON that somebody else wrote: whatever is there, the answer has the type that was asked for, and can be stored.

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object there; an empty one for anything else. */
export function objectAt(value: unknown, key: string): JsonObject {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/** The list there; an empty one for anything else. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(found) ? (found as unknown[]) : [];
}

/** The text there, cleaned; "" for anything else. */
export function textAt(value: unknown, key: string): string {
  return isObject(value) && Object.hasOwn(value, key) ? textOf(value[key]) : "";
}

/** The text, cleaned; "" for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? cleanText(value) : "";
}

/** The number there; null for anything else. */
export function numberAt(value: unknown, key: string): number | null {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

export function isTrueAt(value: unknown, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key) && value[key] === true;
}

/** Without U+0000, which PostgreSQL stores in no text, and without halves of surrogate pairs. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** More of JSON within a text is no word of a person, and no document. */
const JSON_CHARS = 4 * 1024 * 1024;

/** The object or the list that a text is the JSON of; null for any other text. */
export function jsonIn(text: string): unknown {
  if (text.length > JSON_CHARS || !/^\s*[[{]/u.test(text)) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** A day may lie between two clocks. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * A time in seconds, or in thousandths, millionths or billionths of one, as unix ms; null where it is none, before 1970 or
 * later than `now`.
 */
export function timeOf(value: number | null, now: number): number | null {
  if (value === null || value <= 0) return null;
  const scale = value > 1e17 ? 1e-6 : value > 1e14 ? 1e-3 : value > 1e11 ? 1 : 1000;
  const ms = Math.round(value * scale);
  return ms <= now + AHEAD_MS ? ms : null;
}

/** An address of the web, as short as addresses are; null for any other. */
export function webAddress(value: unknown): string | null {
  const isAddress =
    typeof value === "string" && value.length <= 2048 && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value);
  return isAddress && URL.canParse(value) ? value.toWellFormed() : null;
}
