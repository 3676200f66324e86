import { useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { sessionPath } from "../engine/reactions.ts";
import { agentIdOf } from "../engine/sessions/client-session.ts";
import { neighbourOf } from "../features/sidebar/session-groups.ts";
import { isGated } from "../hooks/is-gated.ts";
import { useEngine } from "../hooks/use-engine.tsx";

/** Alt and an arrow open the chat above or below this one in the list. */
export function useNeighbourKeys(sessionId: string | null): void {
  const engine = useEngine();
  const [, navigate] = useLocation();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (!altKey || ctrlKey || metaKey || shiftKey || (key !== "ArrowUp" && key !== "ArrowDown")) return;
    const inDialog = document.activeElement?.closest("[role=dialog], [role=menu]");
    if (event.isComposing || inDialog != null || isGated(engine)) return;
    event.preventDefault();
    const { sessions } = engine.sessions.list.getState();
    const next = neighbourOf(sessions, sessionId, key === "ArrowUp" ? -1 : 1);
    if (next !== null) navigate(sessionPath(agentIdOf(next), next.id));
  });
  useEffect(() => {
    // Before the field it is pressed in: there the arrow has a meaning of its own.
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, []);
}
