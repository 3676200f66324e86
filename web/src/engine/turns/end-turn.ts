// What every end of a reply means for the session on the screen.
import { LIMITS } from "@plumb/protocol/limits";
import { ReplyRefusal } from "@plumb/protocol/wire/replies";
import type { ApiError } from "../api-errors.ts";
import type { ReplyEnd, ReplyRequest } from "../replies/follow-reply.ts";
import { isAside } from "../sessions/client-session.ts";
import type { SentNote } from "../sessions/kept-drafts.ts";
import { lookForTitle } from "./session-title.ts";
import { dropGivenBack, showStored } from "./stop-turn.ts";
import { clientStreamIdOf, modelOf } from "./turn-call.ts";
import type { TurnDeps } from "./turn-deps.ts";
import {
  CONNECTION_LOST,
  errorHint,
  PROTOCOL_VIOLATION,
  reactionTo,
  type FailureReaction,
} from "./turn-failures.ts";
import type { TurnRegister } from "./turn-register.ts";
import { draftKeyOf } from "./turn-plan.ts";
import type { Turn } from "./turn.ts";

/** What was read, where, and the request it began with (null for a resumed reply). */
export interface ReadTurn {
  turn: Turn;
  sessionId: string;
  request: ReplyRequest | null;
}

/** Shows the end of a reply. Resolves when the session is at rest. */
export async function endTurn(
  deps: TurnDeps,
  register: TurnRegister,
  read: ReadTurn,
  end: ReplyEnd,
): Promise<void> {
  const { turn, sessionId, request } = read;
  const { sessions, history, reactions } = deps;
  const hasEnded = turn.phase().name === "ended";
  switch (end.kind) {
    case "closed":
      if (turn.hasMessage()) turn.cutOff("cut", null);
      else if (!hasEnded) {
        turn.rollback(null);
        await history.load(sessionId, { force: true });
      }
      return;
    case "full": {
      turn.adopt(end.full);
      const { chat_session: session } = end.full;
      if (session.title_type === "WIP") void lookForTitle(deps, session, register.accountSignal());
      return;
    }
    case "refused":
      return onRefused(deps, register, read, end.error);
    case "resume-refused":
      return onResumeRefused(deps, register, read, end.error);
    case "violation":
      reactions.toast({
        type: "error",
        text: PROTOCOL_VIOLATION,
        duration: LIMITS.protocolViolationToastMs,
        dedupeKey: "protocol-violation",
      });
      if (request === null) turn.cutOff("cut", null);
      else turn.rollback(null);
      return;
    case "lost":
      if (hasEnded) return;
      register.lost.set(turn.key(), { turn, request });
      turn.cutOff("lost", errorHint(CONNECTION_LOST, { now: deps.browser.now() }));
      if (turn.plan.typed !== null && !turn.hasMessage()) {
        const { text } = turn.plan.typed;
        sessions.restoreDraft(draftKeyOf(turn.plan.typed, turn.key()), text, doubtOf(read));
      }
      return;
    case "aborted":
      return;
  }
}

/** What is given back may have arrived: a history that has it takes it away again, after a reload, too. */
function doubtOf({ turn, sessionId }: ReadTurn): SentNote | null {
  const clientStreamId = clientStreamIdOf(turn.plan.call);
  return clientStreamId === null || isAside(turn.key()) ? null : { sessionId, clientStreamId, isBack: true };
}

async function onRefused(
  deps: TurnDeps,
  register: TurnRegister,
  read: ReadTurn,
  error: ApiError,
): Promise<void> {
  const { turn, sessionId } = read;
  const reaction = reactionTo(error, turn.plan.scene);
  const traceId = "logId" in error ? error.logId : "";
  switch (reaction.show) {
    case "hint":
      if (reaction.mutedUntil !== undefined) deps.onMuted(reaction.mutedUntil);
      if (reaction.quota !== undefined) deps.onQuota(reaction.quota);
      // A server that failed, or a proxy before it, may have taken the question all the same.
      if (error.kind === "http" && error.status >= 500) register.doubtful.add(turn);
      turn.rollback(
        errorHint(reaction, { now: deps.browser.now(), traceId }),
        register.doubtful.has(turn) ? doubtOf(read) : null,
      );
      if (reaction.loadHistory) await deps.history.load(sessionId);
      return;
    case "toast":
      showToast(deps, reaction);
      turn.rollback(null);
      if (reaction.dropAgent) deps.onAgentGone(deps.sessions.get(turn.key())?.agentId ?? "");
      if (reaction.dropModel) deps.onModelGone(modelOf(turn.plan.call));
      if (reaction.dropSession) deps.onInvalidSession(sessionId);
      if (reaction.loadHistory) await deps.history.load(sessionId, { force: true });
      return;
    case "silent":
      if (reaction.log !== undefined) deps.browser.log(reaction.log);
      return turn.rollback(null);
  }
}

async function onResumeRefused(
  deps: TurnDeps,
  register: TurnRegister,
  { turn, sessionId }: ReadTurn,
  error: ApiError,
): Promise<void> {
  const reaction = reactionTo(error, turn.plan.scene);
  if (reaction.show === "toast") showToast(deps, reaction);
  const isOld = error.kind === "refused" && error.code === ReplyRefusal.ResumeTimeTooLong.code;
  const isHere = turn.hasMessage() || turn.key() === sessionId;
  // What was asked for here and is not there has left nothing: its text is the user's again.
  if (turn.plan.call === null || turn.hasMessage() || (isOld && isHere)) turn.cutOff("cut", null);
  else turn.rollback(null);
  if (reaction.show === "toast" && reaction.dropSession) deps.onInvalidSession(sessionId);
  else if (isOld) {
    const replyId = turn.responseId();
    if (replyId !== null) register.refuseResume(sessionId, replyId);
    if (!isHere) dropGivenBack(deps, turn);
    await showStored(deps, turn, sessionId);
  }
}

function showToast({ reactions }: TurnDeps, reaction: FailureReaction & { show: "toast" }): void {
  reactions.toast({ type: reaction.type ?? "error", text: reaction.text });
}
