// Requests that proxies and servers may read differently, and forwarding headers that say nothing usable.
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** What can be a host: the value goes into a Content-Security-Policy. */
const hostPattern = /^[\w.:[\]-]{1,255}$/u;

export interface Malformed {
  /** As in the detail of a schema error. */
  loc: string;
  msg: string;
}

/**
 * What makes the request unusable; null when nothing does. `ip` is the caller's address as it would be used. Only what
 * would be used is looked at: a caller may send any X-Forwarded-For to a proxy that appends to it.
 */
export function malformedPart(request: FastifyRequest, ip: string): Malformed | null {
  const { raw } = request;
  if (raw.httpVersion !== "1.1" && raw.httpVersion !== "1.0") {
    return { loc: "header", msg: "unknown version of HTTP" };
  }
  if (countOf("host", raw.rawHeaders) > 1) return { loc: "header.host", msg: "more than one" };
  if (isIP(ip.replace(/%.*$/u, "")) === 0) return { loc: "header.x-forwarded-for", msg: "not an address" };
  if (request.protocol !== "http" && request.protocol !== "https") {
    return { loc: "header.x-forwarded-proto", msg: "neither http nor https" };
  }
  if (request.host !== raw.headers.host && request.host !== "" && !isHost(request.host)) {
    return { loc: "header.x-forwarded-host", msg: "not a host" };
  }
  return null;
}

/** Whether the text can be a host with or without a port. */
export function isHost(text: string): boolean {
  return hostPattern.test(text);
}

/** How often a header was sent. Node keeps the first of several Host headers. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((value, index) => index % 2 === 0 && value.toLowerCase() === name).length;
}
