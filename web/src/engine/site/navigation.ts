// Where the engine wants the screen to go. The router takes the wish and clears it.
import { createStore } from "zustand/vanilla";

export const HOME = "/";
export const SIGN_IN = "/sign_in";
export const BANNED = "/banned";

/** The route of a session (chat engine §2). */
export function sessionPath(agentId: string, sessionId: string): string {
  return `/a/${encodeURIComponent(agentId)}/s/${encodeURIComponent(sessionId)}`;
}

export type Navigation = ReturnType<typeof createNavigation>;

export function createNavigation() {
  const store = createStore<{ to: string | null; replace: boolean }>(() => ({ to: null, replace: false }));
  return {
    store,
    go: (to: string, replace = false): void => store.setState({ to, replace }),
  };
}
