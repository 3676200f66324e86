// What a handler may know of its request.
import type { Logger } from "../logger.ts";

export type Locale = "zh_CN" | "en_US";

/** The account behind the bearer token, as `accounts/authenticate.ts` loads it (cached at most a second). */
export interface CurrentUser {
  id: string;
  /** SHA-256 of the presented token, hex: names the token without being it. */
  tokenHash: string;
  /** Unix seconds while muted, else null. */
  mutedUntil: number | null;
}

export interface RequestContext {
  /** 32 lower-case hex; also the `x-ds-trace-id` header and `context.logId`. */
  traceId: string;
  /** Child logger that carries the trace id. */
  log: Logger;
  /** The client's address, forwarding headers believed only from trusted proxies. */
  ip: string;
  locale: Locale;
  deviceId: string | null;
  /** Lower-case header names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  user: CurrentUser | null;
  /** The bearer token itself, for the calls that answer it back or end it. */
  token: string | null;
}
