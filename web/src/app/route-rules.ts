// Where a visitor may be and where they are sent instead (requirements 0§2). Pure.
import type { AuthState } from "../engine/accounts/auth-store.ts";
import { agentPath } from "../engine/reactions.ts";
import {
  AUTHORIZED,
  HOME,
  MOBILE_VERIFICATION,
  isLoggedOutOnly,
  isPublic,
  matchRoute,
  type Route,
} from "./paths.ts";

export type RouteDecision =
  | { kind: "show"; route: Route }
  | { kind: "redirect"; to: string }
  /** The stored token is still being checked. */
  | { kind: "wait" };

export interface Visit {
  path: string;
  /** The query string, with or without its question mark. */
  search: string;
  status: AuthState["status"];
  reason: AuthState["reason"];
  /** Where a sign-in elsewhere was to lead: see `Preferences`. */
  targetBeforeOauth: string;
  /** A sign-in elsewhere is to confirm who is signed in, and nobody else. */
  isConfirming?: boolean;
  /** Whether guests see an agent's home; null while that is not known. */
  guestWelcome: boolean | null;
}

/** Decides what a visit shows. */
export function decideRoute(visit: Visit): RouteDecision {
  const { path, search, status, reason, targetBeforeOauth } = visit;
  if (path !== HOME && /^\/+$/.test(path)) return { kind: "redirect", to: HOME };
  const route = matchRoute(path);
  if (route === null) return { kind: "redirect", to: HOME };
  if (status === "pending") return { kind: "wait" };
  if (status === "yes") {
    if (!isLoggedOutOnly(path)) return { kind: "show", route };
    const isBack = path === AUTHORIZED || path === MOBILE_VERIFICATION;
    if (visit.isConfirming === true && (isBack || search.includes("error=")))
      return { kind: "show", route: { screen: "authorized" } };
    const to = isBack ? targetAfterOauth(targetBeforeOauth) : targetAfterLogin(search);
    return { kind: "redirect", to };
  }
  if (isPublic(route)) return { kind: "show", route };
  if (reason === "banned" && route.screen !== "banned") return { kind: "redirect", to: "/banned" };
  if (isLoggedOutOnly(path)) return { kind: "show", route };
  if (reason === "none" && route.screen === "chat" && route.sessionId === null) {
    if (visit.guestWelcome === null) return { kind: "wait" };
    if (visit.guestWelcome)
      return { kind: "show", route: { screen: "guest-welcome", agentId: route.agentId } };
  }
  return { kind: "redirect", to: signInPath(path, search, reason) };
}

/** Sign-in, remembering where the visitor wanted to go; not after an own sign-out. */
function signInPath(path: string, search: string, reason: AuthState["reason"]): string {
  const query = new URLSearchParams();
  if (path !== HOME && reason !== "signed-out") query.set("redirect", path);
  if (new URLSearchParams(search).get("from") === "coder") query.set("from", "coder");
  const text = query.toString();
  return text === "" ? "/sign_in" : `/sign_in?${text}`;
}

/** Where login leads: a safe `redirect`, else the coder agent with `from=coder`, else the root. */
export function targetAfterLogin(search: string): string {
  const query = new URLSearchParams(search);
  const redirect = query.get("redirect");
  if (redirect !== null && isSafeRedirect(redirect)) return redirect;
  return query.get("from") === "coder" ? agentPath("coder") : HOME;
}

/** Where a sign-in elsewhere leads: a safe path that was remembered, else the home of the agent that was. */
function targetAfterOauth(target: string): string {
  if (isSafeRedirect(target)) return target;
  return target === "coder" ? agentPath("coder") : HOME;
}

/**
 * A redirect we follow: a path of this origin that is one of our open routes. One leading slash, no backslash and no
 * control character, since browsers read `//host` and `/\host` as another site and drop tabs and newlines.
 */
export function isSafeRedirect(redirect: string): boolean {
  if (!/^\/(?!\/)[^\\\p{Cc}]*$/u.test(redirect)) return false;
  const base = "http://origin.invalid";
  if (!URL.canParse(redirect, base)) return false;
  const url = new URL(redirect, base);
  return url.origin === base && matchRoute(url.pathname) !== null && !isLoggedOutOnly(url.pathname);
}
