import type { ClientSession } from "../engine/sessions/client-session.ts";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";

/** One part of a session by its key, or `absent` while the engine does not know the session. */
export function useSession<T>(key: string, select: (session: ClientSession) => T, absent: T): T {
  const { sessions } = useEngine();
  return useSelector(sessions.store, (state) => {
    const session = state.byId[key];
    return session === undefined ? absent : select(session);
  });
}
