// Every path of the app and who may see it (requirements 0§2). Screens that come later join here.
export type Route =
  | { screen: "chat"; agentId: string; sessionId: string | null }
  /** An agent's home, to be seen and no more. */
  | { screen: "guest-welcome"; agentId: string }
  | { screen: "share"; shareId: string }
  | { screen: "share-missing" | "share-invalid" | "undo-binding" }
  | {
      screen:
        | "sign-in"
        | "sign-up"
        | "forgot-password"
        | "banned"
        | "feedback"
        | "authorized"
        | "mobile-verification";
    };

export const HOME = "/";
/** Where a sign-in elsewhere comes back to. */
export const AUTHORIZED = "/authorized";
/** Where whoever comes from WeChat proves a phone. */
export const MOBILE_VERIFICATION = "/mobile_verification";
const DEFAULT_AGENT = "chat";
const loggedOutOnly = {
  "/sign_in": "sign-in",
  "/sign_up": "sign-up",
  "/forgot_password": "forgot-password",
  "/banned": "banned",
  "/feedback": "feedback",
  "/authorized": "authorized",
  "/mobile_verification": "mobile-verification",
} as const;

const publicPages = {
  "/share/missing": "share-missing",
  "/share/invalid": "share-invalid",
  "/undo_binding": "undo-binding",
} as const;

/** The route a path means, or null for a path that is none of ours. */
export function matchRoute(path: string): Route | null {
  if (path === HOME) return { screen: "chat", agentId: DEFAULT_AGENT, sessionId: null };
  if (path in loggedOutOnly) return { screen: loggedOutOnly[path as keyof typeof loggedOutOnly] };
  if (path in publicPages) return { screen: publicPages[path as keyof typeof publicPages] };
  const [, share] = /^\/share\/([^/]+)\/?$/.exec(path) ?? [];
  const shareId = share === undefined ? null : decodeOrNull(share);
  if (shareId !== null) return { screen: "share", shareId };
  const [, agentId, sessionId] = /^\/a\/([^/]+)(?:\/s\/([^/]+))?\/?$/.exec(path) ?? [];
  if (agentId === undefined) return null;
  const agent = decodeOrNull(agentId);
  const session = sessionId === undefined ? null : decodeOrNull(sessionId);
  if (agent === null || (sessionId !== undefined && session === null)) return null;
  return { screen: "chat", agentId: agent, sessionId: session };
}

/** True for the pages a logged-in user is sent away from. */
export function isLoggedOutOnly(path: string): boolean {
  return path in loggedOutOnly;
}

/** True for what everybody may see. */
export function isPublic({ screen }: Route): boolean {
  return (
    screen === "share" ||
    screen === "share-missing" ||
    screen === "share-invalid" ||
    screen === "undo-binding"
  );
}

function decodeOrNull(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
