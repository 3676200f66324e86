import type { Engine } from "../engine/engine.ts";
import { matchRoute } from "./paths.ts";

/**
 * Asks for the history of the chat that the address names as soon as the engine can, while the screen still loads.
 */
export function openFromAddress(engine: Engine, path: string): void {
  const route = matchRoute(path);
  if (route?.screen !== "chat" || route.sessionId === null) return;
  const { sessionId } = route;
  engine.loadChat().then(
    () => engine.sessions.open(sessionId),
    // The screen waits for the same, and says what failed.
    () => {},
  );
}
