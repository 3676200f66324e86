// Names of headers, and those whose value has a shape (wire-contract.md §1.2, §1.3, §2.2, §2.3). Header names ignore case.
import { LIMITS } from "../limits.ts";
import { defaultLocale, LOCALES, type Edition, type Locale } from "../rules/edition-rules.ts";
import { decodeBase64Text, encodeBase64Text } from "./base64.ts";
import { isRecord, parseJson } from "./json.ts";

export const RequestHeader = {
  Authorization: "authorization",
  AppVersion: "x-app-version",
  ClientPlatform: "x-client-platform",
  ClientVersion: "x-client-version",
  ClientLocale: "x-client-locale",
  ClientTimezoneOffset: "x-client-timezone-offset",
  DeviceId: "x-device-id",
  PowResponse: "x-ds-pow-response",
  GuestPowResponse: "x-ds-guest-pow-response",
  ThinkingEnabled: "x-thinking-enabled",
  FileSize: "x-file-size",
  LastEventId: "last-event-id",
} as const;

export const ResponseHeader = {
  TraceId: "x-ds-trace-id",
} as const;

/** Content types of §1.3. */
export const ContentType = {
  Json: "application/json; charset=utf-8",
  EventStream: "text/event-stream; charset=utf-8",
} as const;

/** A solved user challenge. `target_path` is the one the challenge was asked for. */
export interface PowResponse {
  algorithm: string;
  challenge: string;
  salt: string;
  answer: number;
  signature: string;
  target_path: string;
}

/** A solved guest challenge. */
export interface GuestPowResponse {
  salt: string;
  answer: number;
}

/** Value of X-DS-PoW-Response. Further keys of `response`, such as those of the challenge, are left out. */
export function encodePowResponse(response: PowResponse): string {
  const { algorithm, challenge, salt, answer, signature, target_path } = response;
  return encodeBase64Text(JSON.stringify({ algorithm, challenge, salt, answer, signature, target_path }));
}

/**
 * Reads X-DS-PoW-Response; null = answer 40300. An absent target_path becomes `calledPath`, a given one is normalised.
 * A wrong but well-formed answer is left to the verification.
 */
export function decodePowResponse(header: string, calledPath: string): PowResponse | null {
  const fields = decodeObject(header);
  if (fields === null) return null;
  const { algorithm, challenge, salt, signature } = fields;
  const answer = readAnswer(fields["answer"]);
  const targetPath = fields["target_path"] ?? calledPath;
  if (typeof algorithm !== "string" || typeof challenge !== "string" || typeof targetPath !== "string")
    return null;
  if (typeof salt !== "string" || typeof signature !== "string" || answer === null) return null;
  return { algorithm, challenge, salt, answer, signature, target_path: normaliseTargetPath(targetPath) };
}

/** Value of X-DS-Guest-PoW-Response. */
export function encodeGuestPowResponse(response: GuestPowResponse): string {
  return encodeBase64Text(JSON.stringify({ salt: response.salt, answer: response.answer }));
}

/** Reads X-DS-Guest-PoW-Response; null = answer 40300. */
export function decodeGuestPowResponse(header: string): GuestPowResponse | null {
  const fields = decodeObject(header);
  const answer = readAnswer(fields?.["answer"]);
  const salt = fields?.["salt"];
  return typeof salt === "string" && answer !== null ? { salt, answer } : null;
}

/** Target paths may come without the prefix `/api`; ours have it. */
export function normaliseTargetPath(path: string): string {
  return path.startsWith("/v0/") ? `/api${path}` : path;
}

/** Language of a request; anything but the two locales, with `_` or `-`, is the edition's own. */
export function parseLocale(header: string | null | undefined, edition: Edition): Locale {
  const wanted = header?.trim().replace("-", "_");
  return LOCALES.find((locale) => locale === wanted) ?? defaultLocale(edition);
}

/** The token of an Authorization header, its scheme in any case; null when there is none. */
export function parseBearer(header: string | null | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? null;
}

function decodeObject(header: string): Record<string, unknown> | null {
  if (header.length > LIMITS.powHeaderChars) return null;
  const text = decodeBase64Text(header.trim());
  const parsed = text === null ? null : parseJson(text);
  return parsed?.ok && isRecord(parsed.value) ? parsed.value : null;
}

function readAnswer(value: unknown): number | null {
  const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : null;
}
