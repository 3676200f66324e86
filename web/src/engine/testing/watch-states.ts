// Records every state of a session and of its replies, to be held against the ways they may go (requirements 1§3, 1§4).
import type { Engine } from "../engine.ts";
import type { ClientMessage } from "../sessions/client-message.ts";
import type { ClientSession } from "../sessions/client-session.ts";

type State = ClientSession["state"];

/** From where to where a session may go. A send may end before anything was sent, and a new chat is then empty again. */
const ways: Record<State, readonly State[]> = {
  idleWithNoHistory: ["fetchingHistory", "sending"],
  fetchingHistory: ["idle", "historyError"],
  historyError: ["fetchingHistory"],
  idle: ["sending", "completing", "idleWithNoHistory"],
  sending: ["completing", "idle", "idleWithNoHistory"],
  completing: ["idle", "sending"],
};
const order: readonly ClientMessage["generateState"][] = [
  "INITIALIZING",
  "AWAITING_FIRST_CHANGE",
  "GENERATING",
];

/** Gives what moved as it may not, by now: empty when all did. */
export function watchStates({ sessions }: Engine, key: string): () => string[] {
  const wrong: string[] = [];
  let state = sessions.store.getState().byId[key]?.state;
  const replies = new Map<string, ClientMessage["generateState"]>();
  sessions.store.subscribe(({ byId }) => {
    const session = byId[key];
    if (session === undefined) return;
    if (state !== undefined && session.state !== state && !ways[state].includes(session.state)) {
      wrong.push(`${state} → ${session.state}`);
    }
    ({ state } = session);
    for (const { message } of session.tree.nodes.values()) {
      const before = replies.get(message.key) ?? null;
      const now = message.generateState;
      if (now !== null && order.indexOf(now) < order.indexOf(before)) wrong.push(`${before} → ${now}`);
      replies.set(message.key, now);
    }
  });
  return () => wrong;
}
