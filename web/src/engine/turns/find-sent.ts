// A question that an earlier load of the page sent: the server knows whether it arrived.
import { isPassing } from "../api-errors.ts";
import { sessionPath } from "../reactions.ts";
import { lookUpStream } from "../replies/look-up-stream.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";
import type { SentNote } from "../sessions/kept-drafts.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnRegister } from "./turn-register.ts";

export type FindSent = ReturnType<typeof createFindSent>;

export function createFindSent(deps: TurnDeps, register: TurnRegister) {
  const asking = new Set<string>();

  /**
   * Asks for the text that is kept under this key as one on its way. Found, it is given up, and where it went is the answer.
   * "missing": the server does not have it. Null: it is not known, or no such text is there.
   */
  async function ask(key: string): Promise<SentNote | "missing" | null> {
    const note = deps.sessions.sentAs(key);
    if (note === null || asking.has(key) || register.turnOf(key) !== undefined) return null;
    const signal = register.accountSignal();
    asking.add(key);
    const found = await lookUpStream(deps.browser, deps.api, note, signal);
    asking.delete(key);
    if (signal.aborted || (found.kind === "failed" && isPassing(found.error))) return null;
    if (deps.sessions.sentAs(key)?.clientStreamId !== note.clientStreamId) return null;
    if (register.turnOf(key) !== undefined) return null;
    if (found.kind !== "found") return "missing";
    deps.sessions.dropSent(key);
    return note;
  }

  /**
   * Looks for the text kept under the key of a new chat that was sent before its session was known to be there. Found,
   * the text is given up and its chat opened; not there, the text stays to be sent; not reachable, it is asked again the
   * next time.
   */
  async function findSent(key: string): Promise<void> {
    const agentId = agentOfNewChat(key);
    // One that failed on this page is on show, to be sent again.
    const isHere = (deps.sessions.get(key)?.tree.nodes.size ?? 0) > 0;
    const found = agentId === null || isHere ? null : await ask(key);
    if (agentId === null || found === null || found === "missing" || !deps.isOnScreen(key)) return;
    deps.reactions.go(sessionPath(agentId, found.sessionId), { replace: true });
  }

  return { ask, findSent };
}
