// Stopping a turn: stop_stream is posted, and the stream is read on until the reply has stopped (wire-contract.md §11.7).
import type { Message } from "@plumb/protocol/conversation/message";
import { showMessage, updateMessage } from "@plumb/protocol/conversation/message-tree";
import { LIMITS } from "@plumb/protocol/limits";
import { stopStream } from "@plumb/protocol/wire/replies";
import { isPassing } from "../api-errors.ts";
import { pause } from "../pause.ts";
import { sessionPath } from "../reactions.ts";
import { lookUpStream } from "../replies/look-up-stream.ts";
import { clientStreamIdOf } from "./turn-call.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { LostTurn, TurnRegister } from "./turn-register.ts";
import { closeEditBox } from "./edit-box.ts";
import { draftKeyOf } from "./turn-plan.ts";
import type { Turn } from "./turn.ts";

/** Resolves when the session is at rest. A turn that is being stopped, or has ended, is left alone. */
export async function stopTurn(deps: TurnDeps, register: TurnRegister, turn: Turn): Promise<void> {
  const before = turn.phase();
  if (before.name === "stopping" || before.name === "ended") return;
  const sessionId = turn.sessionId();
  const account = register.accountSignal();
  /** The account has left, or the chat is gone: nothing of the turn is for whoever is here by now. */
  const isOver = (): boolean => account.aborted || deps.sessions.get(turn.key()) === undefined;
  if (before.name === "preparing" || sessionId === null) {
    turn.stopReading();
    return turn.rollback(null);
  }
  turn.dispatch({ type: "stop" });
  // A continue can't be looked up, and a stop may overtake it: what it begins is awaited, or it would run unread.
  if (before.name === "sent" && clientStreamIdOf(turn.plan.call) === null) {
    await Promise.race([turn.whenStored, turn.whenEnded, pause(deps.browser, LIMITS.stopReadOnMs)]);
    if (turn.phase().name === "ended") return;
  }
  const responseId = turn.responseId();
  if (!turn.isStored() || responseId === null)
    return stopBeforeReady(deps, register, turn, sessionId, isOver);

  const posted = postStop(deps, sessionId, responseId);
  if (before.name !== "reconnecting") {
    await Promise.race([turn.whenEnded, pause(deps.browser, LIMITS.stopReadOnMs)]);
    if (turn.phase().name === "ended") return;
  }
  turn.stopReading();
  const isPosted = await posted;
  if (isOver()) return;
  turn.cutOff("cut", null);
  const lost = { turn, request: null, isStopped: true };
  // Known before the history comes: the reply that it finds running is to be stopped, and not only read on.
  if (!isPosted) register.lost.set(turn.key(), lost);
  const isShown = await showStored(deps, turn, sessionId);
  if (isOver()) return;
  if (!isShown) register.lost.set(turn.key(), lost);
  else if (register.lost.get(turn.key()) === lost) register.lost.delete(turn.key());
}

/** Whether the user asked for a stop of this reply that did not reach the server. */
export function isToBeStopped(lost: LostTurn | undefined, running: Message): boolean {
  if (lost?.isStopped !== true) return false;
  const { call } = lost.turn.plan;
  const streamId = call && clientStreamIdOf(call);
  return (
    lost.turn.responseId() === running.message_id ||
    (streamId !== null && streamId === running.client_stream_id)
  );
}

/** False: it may not have arrived. A failure is logged alone: what the server has of the reply is looked at in any case. */
export async function postStop(
  { api, browser }: TurnDeps,
  sessionId: string,
  messageId: number | null,
): Promise<boolean> {
  const result = await api.call(stopStream, { chat_session_id: sessionId, message_id: messageId });
  if (result.ok) return true;
  browser.log("stop_stream failed", result.error);
  return !isPassing(result.error);
}

/**
 * No ready came: the reply is looked up by the id of the request. Where the server can't say whether it has it, or can't be
 * told of the stop, both are tried again.
 */
async function stopBeforeReady(
  deps: TurnDeps,
  register: TurnRegister,
  turn: Turn,
  sessionId: string,
  isOver: () => boolean,
): Promise<void> {
  turn.stopReading();
  const clientStreamId = clientStreamIdOf(turn.plan.call);
  const wanted = clientStreamId === null ? null : { sessionId, clientStreamId };
  const found = wanted && (await lookUpStream(deps.browser, deps.api, wanted, register.accountSignal()));
  if (isOver()) return;
  // Also where it is unknown: the look-up may have overtaken the request.
  const isPosted = await postStop(deps, sessionId, null);
  if (isOver()) return;
  turn.rollback(null);
  const lost = { turn, request: null, isStopped: true };
  const isInDoubt = found?.kind === "failed" && isPassing(found.error);
  // Known before the history comes, as after ready.
  if (isInDoubt || !isPosted) register.lost.set(turn.key(), lost);
  if (found !== null && found.kind !== "found") return;
  const isShown = await showStopped(deps, turn, sessionId);
  if (isOver()) return;
  if (!isShown) register.lost.set(turn.key(), lost);
  else if (register.lost.get(turn.key()) === lost) register.lost.delete(turn.key());
}

/** Shows what the server keeps of a turn that was stopped before its ready. False: it can't be loaded. */
export async function showStopped(deps: TurnDeps, turn: Turn, sessionId: string): Promise<boolean> {
  turn.markStored();
  dropGivenBack(deps, turn);
  const isLoaded = await showStored(deps, turn, sessionId);
  if (isLoaded) markStopped(deps, sessionId, clientStreamIdOf(turn.plan.call));
  return isLoaded;
}

/** The text of a turn was given back, and stands in the history now; another one that is typed by now stays. */
export function dropGivenBack({ sessions }: TurnDeps, turn: Turn): void {
  const { typed } = turn.plan;
  if (typed === null) return;
  const draft = draftKeyOf(typed, turn.key());
  sessions.dropDraft(draft, typed.text);
  const isGone = sessions.store.getState().drafts[draft] === undefined;
  if (typed.editOf !== null && isGone) closeEditBox(sessions, turn.key(), typed.editOf);
}

/**
 * A history came with these client_stream_ids. A turn that was lost before anybody knew that the server has it, and which
 * stands there, is lost no more: nothing of it is to be sent again.
 */
export function forgetArrived(
  deps: TurnDeps,
  { lost }: TurnRegister,
  key: string,
  ids: ReadonlySet<string | null>,
): void {
  const entry = lost.get(key);
  if (entry === undefined || entry.turn.isStored()) return;
  const id = clientStreamIdOf(entry.turn.plan.call);
  if (id === null || !ids.has(id)) return;
  lost.delete(key);
  dropGivenBack(deps, entry.turn);
  if (entry.isStopped === true) markStopped(deps, key, id);
}

/** What was stopped is what the user asked for last: on show. It may have ended in another way before the stop came. */
function markStopped({ sessions }: TurnDeps, sessionId: string, clientStreamId: string | null): void {
  sessions.update(sessionId, ({ tree }) => {
    for (const { message } of tree.nodes.values()) {
      const { message_id: id, status, client_stream_id: streamId } = message;
      if (streamId === null || streamId !== clientStreamId) continue;
      const shown = showMessage(tree, id);
      if (status !== "INCOMPLETE") return { tree: shown };
      return { tree: updateMessage(shown, id, (old) => ({ ...old, isStopped: true })) };
    }
    return {};
  });
}

/** Shows what the server keeps of the turn, where a new chat became a session there too. False: it can't be loaded. */
export async function showStored(deps: TurnDeps, turn: Turn, sessionId: string): Promise<boolean> {
  const isLoaded = await deps.history.load(sessionId, { force: true });
  const key = turn.key();
  const found = deps.sessions.get(sessionId);
  if (key === sessionId || found === undefined) return isLoaded;
  deps.list.clear();
  deps.list.start();
  if (deps.isOnScreen(key)) {
    deps.sessions.moveDraft(key, sessionId);
    deps.reactions.go(sessionPath(found.agentId, sessionId));
  }
  return isLoaded;
}
