// What any part of the engine can do to the screen: show a toast, or go to another page.
import type { Cancel } from "./browser.ts";
import type { ToastInput } from "./site/toast.ts";

export interface Reactions {
  /** Returns what takes it away again. */
  toast(toast: ToastInput): Cancel;
  /** Takes the screen to a path of our own. */
  go(path: string, options?: { replace?: boolean }): void;
}

export const DEFAULT_AGENT = "chat";

export const HOME = "/";
export const SIGN_IN = "/sign_in";
export const BANNED = "/banned";

/** The home of an agent; that of the default agent is the root. */
export function agentPath(agentId: string): string {
  return agentId === DEFAULT_AGENT ? HOME : `/a/${encodeURIComponent(agentId)}`;
}

/** The route of a session (requirements 1§2). */
export function sessionPath(agentId: string, sessionId: string): string {
  return `/a/${encodeURIComponent(agentId)}/s/${encodeURIComponent(sessionId)}`;
}
