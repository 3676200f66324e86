import type { Message } from "@plumb/protocol/conversation/message";
import type { Engine } from "../engine/engine.ts";
import { matchRoute } from "./paths.ts";

/**
 * Asks for the history of the chat that the address names while the screen still loads. Gives its messages; null where the
 * address names none.
 */
export function openFromAddress(engine: Engine, path: string): Promise<readonly Message[]> | null {
  const route = matchRoute(path);
  return route?.screen === "chat" && route.sessionId !== null ? engine.openEarly(route.sessionId) : null;
}
