// Getting back to a turn after all attempts to resume its reply failed.
import { isPassing } from "../api-errors.ts";
import { startAttempts } from "../replies/attempt-series.ts";
import { lookUpStream } from "../replies/look-up-stream.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";
import type { SentNote } from "../sessions/kept-drafts.ts";
import { canBegin, withoutUnsent } from "./plan-on-tree.ts";
import { clientStreamIdOf } from "./turn-call.ts";
import { dropGivenBack, postStop, showStopped } from "./stop-turn.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { LostTurn, TurnRegister } from "./turn-register.ts";

/** Whether the server has it. One that was stopped before its `ready` is found there by what its session holds. */
const isKept = ({ turn, isStopped = false }: LostTurn): boolean => turn.isStored() || isStopped;

/** Begins a lost turn once more, with the request it had. */
export type Restart = (key: string, lost: LostTurn) => void;

export function createRecovery(deps: TurnDeps, register: TurnRegister, restart: Restart) {
  const { sessions, history } = deps;
  const { lost } = register;
  /** Turns that are being gone back to. */
  const under = new Map<LostTurn, Promise<boolean>>();
  /** Turns whose stop is posted until it arrives. */
  const insisted = new Set<LostTurn>();

  /**
   * Goes back to a lost turn. A reply the server has is read from there: sending again would ask the model twice. One
   * that is not known to have arrived is sent again with its own id, so that it can't become two. False: nothing to go
   * back to.
   */
  async function recover(key: string): Promise<boolean> {
    const entry = lost.get(key);
    if (entry === undefined) return false;
    const going = under.get(entry) ?? goBack(key, entry).finally(() => under.delete(entry));
    under.set(entry, going);
    return going;
  }

  async function goBack(key: string, entry: LostTurn): Promise<boolean> {
    const { turn, request, isStopped = false } = entry;
    const [sessionId, clientStreamId] = [turn.sessionId(), clientStreamIdOf(turn.plan.call)];
    if (isStopped && turn.responseId() === null && sessionId !== null && clientStreamId !== null)
      return stopAgain(key, entry, { sessionId, clientStreamId });
    if (isKept(entry) && agentOfNewChat(key) === null) {
      if (isStopped) await postStop(deps, key, turn.responseId());
      // Meanwhile the account may have left, or the chat be gone.
      if (lost.get(key) !== entry) return true;
      if (await history.load(key, { force: true })) {
        lost.delete(key);
        dropGivenBack(deps, turn);
      }
      return true;
    }
    lost.delete(key);
    const session = sessions.get(key);
    if (request === null || session === undefined) return false;
    if (!canBegin(withoutUnsent(session.tree), turn.plan)) return false;
    restart(key, entry);
    return true;
  }

  /** Stops what was stopped here before anybody knew whether the server has it. False: it hasn't. */
  async function stopAgain(key: string, entry: LostTurn, sent: SentNote): Promise<boolean> {
    const found = await lookUpStream(deps.browser, deps.api, sent, register.accountSignal());
    if (lost.get(key) !== entry || (found.kind === "failed" && isPassing(found.error))) return true;
    if (found.kind !== "found") {
      lost.delete(key);
      return false;
    }
    const isPosted = await postStop(deps, sent.sessionId, found.stream.response_message_id);
    if (lost.get(key) !== entry) return true;
    const isShown = isPosted && (await showStopped(deps, entry.turn, sent.sessionId));
    if (isShown && lost.get(key) === entry) lost.delete(key);
    return true;
  }

  /** The network or the user is back: replies the server has are looked for without being asked. */
  function recoverAll(): void {
    for (const [key, entry] of lost) if (isKept(entry)) void recover(key);
  }

  /** Posts a stop that did not reach the server as a resume is tried: until it arrives the reply is written on. */
  async function insist(key: string): Promise<void> {
    const entry = lost.get(key);
    if (entry?.isStopped !== true || insisted.has(entry)) return;
    insisted.add(entry);
    const signal = register.accountSignal();
    const series = startAttempts(deps.browser);
    while (lost.get(key) === entry && (await series.next(signal))) {
      if (lost.get(key) === entry) await recover(key);
    }
    insisted.delete(entry);
  }

  return { recover, recoverAll, insist };
}
