// What a handler may know of its request.
import type { Edition, Locale } from "@plumb/protocol/rules/edition-rules";
import { parseLocale, RequestHeader } from "@plumb/protocol/wire/headers";
import type { FastifyRequest } from "fastify";
import type { Logger } from "../logger.ts";

export type { Locale };

/** The account behind the bearer token, as `accounts/authenticate.ts` loads it (cached at most a second). */
export interface CurrentUser {
  id: string;
  /** SHA-256 of the presented token, hex: names the token without being it. */
  tokenHash: string;
  /** Unix seconds while muted, else null. */
  mutedUntil: number | null;
  /**
   * What links to the account's files and exports carry (`users.link_generation`), as old as the look at the token: a link that
   * is made with a token that has ended meanwhile has ended with it.
   */
  linkGeneration: number;
}

export interface RequestContext {
  /** 32 lower-case hex; also the `x-ds-trace-id` header and `context.logId`. */
  traceId: string;
  /** Child logger that carries the trace id. */
  log: Logger;
  /** The client's address, forwarding headers believed only from trusted proxies. */
  ip: string;
  /** The request came by https, or a trusted proxy says so. */
  secure: boolean;
  /** Where the caller asks, such as `https://chat.example.org`; forwarding headers believed only from trusted proxies. */
  origin: string;
  locale: Locale;
  deviceId: string | null;
  /** Lower-case header names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  user: CurrentUser | null;
  /** The bearer token itself, for the calls that answer it back or end it. */
  token: string | null;
}

/** The context of a request that nothing was checked of yet. Fastify's request id is the trace id. */
export function createRequestContext(request: FastifyRequest, edition: Edition, log: Logger): RequestContext {
  const { headers } = request;
  const deviceId = firstOf(headers[RequestHeader.DeviceId]);
  return {
    traceId: request.id,
    log: log.child({ trace: request.id }),
    ip: plainAddress(request.ip),
    secure: request.protocol === "https",
    origin: `${request.protocol}://${request.host}`,
    locale: parseLocale(firstOf(headers[RequestHeader.ClientLocale]), edition),
    deviceId: deviceId === null || deviceId === "" ? null : deviceId,
    headers,
    user: null,
    token: null,
  };
}

/** IPv4 callers of a socket that listens on both families come as ::ffff:192.0.2.1. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/iu, "");
}

/** The one value of a header, null when it is absent. */
export function firstOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
