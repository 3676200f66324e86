// What pages of other origins may do here: nothing, but for those the operator names (ALLOWED_ORIGINS, wire-contract.md §1.1).
import { RequestHeader, ResponseHeader } from "@plumb/protocol/wire/headers";

export interface Asked {
  method: string;
  origin: string | undefined;
  /** Of a preflight: what the page is about to do. */
  wantedMethod: string | undefined;
}

export interface CrossOriginAnswer {
  headers: Record<string, string>;
  /** Nothing more is to be said: it was a preflight. */
  isPreflight: boolean;
}

const SENT = [...Object.values(RequestHeader), "content-type"].join(", ");
const READ = [ResponseHeader.TraceId, "etag", "retry-after", "content-disposition"].join(", ");
/** How long a browser may remember it (seconds). */
const REMEMBERED = "7200";

/**
 * The headers of an answer to a page of another origin; null while no origin is allowed at all. Tokens go in a header, so
 * that cookies are never allowed.
 */
export function answerCrossOrigin(allowed: readonly string[], asked: Asked): CrossOriginAnswer | null {
  if (allowed.length === 0) return null;
  // Shared caches must not give one origin's answer to another.
  const vary = { vary: "Origin" };
  const { origin, method, wantedMethod } = asked;
  if (origin === undefined || !allowed.includes(origin)) return { headers: vary, isPreflight: false };
  const headers = {
    ...vary,
    "access-control-allow-origin": origin,
    "access-control-expose-headers": READ,
  };
  if (method !== "OPTIONS" || wantedMethod === undefined) return { headers, isPreflight: false };
  return {
    headers: {
      ...headers,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": SENT,
      "access-control-max-age": REMEMBERED,
    },
    isPreflight: true,
  };
}
