// The turns this page reads, those whose connection was lost, and the sessions that wait for their first message.
import type { ReplyRequest } from "../replies/follow-reply.ts";
import { createTurn, type Turn, type TurnInit } from "./turn.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { UnusedSession } from "./new-chat-session.ts";

/** A lost turn and the request it began with, null for a resumed one. */
export interface LostTurn {
  turn: Turn;
  request: ReplyRequest | null;
  /** The user asked for a stop that may not have reached the server. */
  isStopped?: boolean;
}

export type TurnRegister = ReturnType<typeof createTurnRegister>;

export function createTurnRegister(deps: TurnDeps) {
  /** Turns that are read, also those of which only the title is awaited. */
  const reading = new Set<Turn>();
  const lost = new Map<string, LostTurn>();
  /** Turns whose texts were given back though the server may have them, and which are lost no more. */
  const doubtful = new Set<Turn>();
  /** Sessions made for a new chat that have no message yet, by their `new:` key. */
  const unused = new Map<string, UnusedSession>();
  /** Replies whose resume was refused for good: what a history says of them is not asked for again. */
  const unresumable = new Set<string>();
  /** Aborted when the account leaves this page. */
  let account = new AbortController();
  let lastLocalId = -1;
  /** Ids of messages that are not stored count down from -2. */
  const nextLocalId = (): number => --lastLocalId;
  const context = { ...deps, nextLocalId, onStored: (key: string): void => void unused.delete(key) };

  function begin(init: TurnInit): Turn {
    const turn = createTurn(context, init);
    reading.add(turn);
    const before = lost.get(init.key)?.turn;
    if (before?.hasMessage() === false) doubtful.add(before);
    lost.delete(init.key);
    return turn;
  }

  /** Nothing more is read of it. */
  function release(turn: Turn): void {
    reading.delete(turn);
  }

  /** The turn of a session that has not ended. Asked of the turns themselves: that of a new chat changes its key. */
  function turnOf(key: string): Turn | undefined {
    return [...reading].find((turn) => turn.key() === key && turn.phase().name !== "ended");
  }

  /** Makes room for another new chat under this key, where one is on its way. */
  function setAside(key: string): void {
    turnOf(key)?.setAside();
    // It may be the one that is sent to.
    unused.delete(key);
  }

  /** Ends all reading without a request to the server: replies go on there. */
  function abandonAll(): void {
    account.abort();
    account = new AbortController();
    for (const turn of reading) turn.abandon();
    reading.clear();
    lost.clear();
    doubtful.clear();
    unused.clear();
    unresumable.clear();
  }

  /** The session is gone: nothing of it is read any more. */
  function abandon(sessionId: string): void {
    for (const turn of reading) {
      if (turn.sessionId() !== sessionId) continue;
      turn.abandon();
      reading.delete(turn);
      unused.delete(turn.key());
    }
    lost.delete(sessionId);
  }

  return {
    begin,
    release,
    turnOf,
    setAside,
    lost,
    doubtful,
    unused,
    refuseResume: (sessionId: string, replyId: number): void =>
      void unresumable.add(`${sessionId} ${replyId}`),
    mayResume: (sessionId: string, replyId: number): boolean => !unresumable.has(`${sessionId} ${replyId}`),
    accountSignal: (): AbortSignal => account.signal,
    nextLocalId,
    abandonAll,
    abandon,
  };
}
