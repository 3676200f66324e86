// A raw query or body → the request of a call, or what is wrong with it (wire-contract.md §1.4 "Schema error").
import * as z from "zod/mini";
import type { Call, RequestOf } from "./call.ts";
import type { Detail } from "./envelope.ts";

/** Violations listed per request; more would only give an attacker a large answer. */
const MAX_DETAILS = 20;

export type ParsedRequest<C> = { ok: true; request: RequestOf<C> } | { ok: false; detail: Detail[] };

/** Checks `raw` (parsed JSON, or the query as an object) against the call's schema. Never throws. */
export function parseRequest<C extends Call>(call: C, raw: unknown): ParsedRequest<C> {
  const result = z.safeParse(call.request, raw);
  if (result.success) return { ok: true, request: result.data as RequestOf<C> };
  const place = call.method === "GET" ? "query" : "body";
  return {
    ok: false,
    detail: result.error.issues.slice(0, MAX_DETAILS).map((issue) => ({
      loc: [place, ...issue.path.map(String)].join("."),
      msg: isAbsent(raw, issue.path) ? "required" : issue.message,
    })),
  };
}

function isAbsent(raw: unknown, path: readonly PropertyKey[]): boolean {
  let value: unknown = raw;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return true;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value === undefined;
}
