import type { Engine } from "../engine/engine.ts";
import { matchRoute } from "./paths.ts";

/** Asks for the history of the chat that the address names while the screen still loads. */
export function openFromAddress(engine: Engine, path: string): void {
  const route = matchRoute(path);
  if (route?.screen === "chat" && route.sessionId !== null) engine.openEarly(route.sessionId);
}
