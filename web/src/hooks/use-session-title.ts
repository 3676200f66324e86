import { provisionalTitle } from "../engine/sessions/provisional-title.ts";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";

export interface ShownTitle {
  /** Null where nothing is known of the chat yet. */
  title: string | null;
  /** The first words of the question, until a title is made. */
  isProvisional: boolean;
}

/** What a chat is called: its title as the session or the list has it, until then its first question's first words. */
export function useSessionTitle(sessionId: string | null): ShownTitle {
  const { sessions } = useEngine();
  const own = useSelector(sessions.store, ({ byId }) => byId[sessionId ?? ""]?.title ?? null);
  const listed = useSelector(
    sessions.list,
    (list) => list.sessions.find(({ id }) => id === sessionId)?.title ?? null,
  );
  const first = useSelector(sessions.store, ({ byId }) => provisionalTitle(byId[sessionId ?? ""]));
  const title = own ?? listed;
  return title === null ? { title: first, isProvisional: first !== null } : { title, isProvisional: false };
}
