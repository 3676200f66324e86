// The cookie that binds a sign-in at a provider to the browser that began it (wire-contract.md §8.7).
import { readOwnCookie, usesHttps, writeOwnCookie } from "../../platform/http/own-cookie.ts";
import { firstOf, type RequestContext } from "../../platform/http/request-context.ts";
import { isTicket, randomTicket } from "./tickets.ts";

const COOKIE = "plumb_oauth";
const LIFE_SECS = 10 * 60;

type Caller = Pick<RequestContext, "headers" | "secure">;

/** The browser's own secret; null where it has none, or something that is not ours. */
export function browserOf(publicUrl: string | null, caller: Caller): string | null {
  const value = readOwnCookie(firstOf(caller.headers["cookie"]), COOKIE, usesHttps(publicUrl, caller));
  return value !== null && isTicket(value) ? value : null;
}

/** The browser's secret, made where it has none. One that is there is kept: two tabs may be signing in. */
export function browserOrNew(publicUrl: string | null, caller: Caller): string {
  return browserOf(publicUrl, caller) ?? randomTicket();
}

/** The value of Set-Cookie: each step of a sign-in lets it live on for ten minutes. */
export function browserCookie(publicUrl: string | null, caller: Caller, browser: string): string {
  return writeOwnCookie(
    { name: COOKIE, value: browser, maxAgeSecs: LIFE_SECS },
    usesHttps(publicUrl, caller),
  );
}
