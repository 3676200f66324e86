// A question that an earlier load of the page sent: the server knows whether it arrived.
import { sessionPath } from "../reactions.ts";
import { lookUpStream } from "../replies/look-up-stream.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnRegister } from "./turn-register.ts";

/**
 * Looks for the text kept under the key of a new chat that was sent before its session was known to be there. Found,
 * the text is given up and its chat opened; not there, the text stays to be sent; not reachable, it is asked again the
 * next time.
 */
export function createFindSent(deps: TurnDeps, register: TurnRegister) {
  const asking = new Set<string>();

  return async function findSent(key: string): Promise<void> {
    const agentId = agentOfNewChat(key);
    const note = agentId === null ? null : deps.sessions.sentAs(key);
    if (agentId === null || note === null || asking.has(key) || register.turnOf(key) !== undefined) return;
    const signal = register.accountSignal();
    asking.add(key);
    const found = await lookUpStream(deps.browser, deps.api, note, signal);
    asking.delete(key);
    if (signal.aborted || found.kind !== "found") return;
    if (deps.sessions.sentAs(key)?.clientStreamId !== note.clientStreamId) return;
    if (register.turnOf(key) !== undefined) return;
    deps.sessions.dropSent(key);
    if (deps.isOnScreen(key)) deps.reactions.go(sessionPath(agentId, note.sessionId), { replace: true });
  };
}
