// How a reply ended, in a sentence. The history keeps no hints: there the status and the text are all there is.
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { hasAnswer } from "./answer-text.ts";

type EndedMessage = Pick<ClientMessage, "role" | "status" | "fragments" | "hint" | "isStopped">;

/** What was told last of a session, and of which reply the end is still to be told. */
export interface Announced {
  /** Of the last message while a reply runs: its key and when it was asked for. Null before one was seen to. */
  runningKey: string | null;
  /** Of the reply whose end was told last. */
  endedKey: string | null;
  /** What is told should nothing of its turn be kept. */
  ifNothing: TextKey;
  text: TextKey | null;
}

/** Why a reply ended otherwise than by finishing, or that nothing came of it; null for one that finished or still runs. */
export function endNote({
  status,
  fragments,
  isStopped,
}: Pick<EndedMessage, "status" | "fragments" | "isStopped">): TextKey | null {
  switch (status) {
    case "WIP":
      return null;
    // A model may end by itself after a thought, or some blanks.
    case "FINISHED":
      return hasAnswer({ fragments }) ? null : "status.noAnswer";
    case "INCOMPLETE":
      if (isStopped) return "status.stopped";
      return hasAnswer({ fragments }) ? "status.incomplete" : "status.noAnswer";
    case "TIMEOUT":
      return "status.timeout";
    case "CONTENT_FILTER":
      return "status.contentFilter";
    case "CONTEXT_LENGTH_EXCEEDED":
      return "status.contextExceeded";
  }
}

/**
 * Whether sending the prompt again may help where no hint says so any more. A reply with some of its answer may have
 * been stopped by the user, who has what they wanted; one that timed out was not.
 */
export function mayRetry({ status, fragments }: Pick<EndedMessage, "status" | "fragments">): boolean {
  if (status === "TIMEOUT") return true;
  return (status === "INCOMPLETE" || status === "FINISHED") && !hasAnswer({ fragments });
}

/**
 * Whether another try is all that can be done with a reply: it failed, nothing of its answer came, and a try is offered at it
 * or at its question.
 */
export function isOnlyRetried(
  message: Pick<EndedMessage, "status" | "fragments" | "hint">,
  isLast: boolean,
): boolean {
  if (hasAnswer(message)) return false;
  return message.hint === null ? isLast && mayRetry(message) : message.hint.clickBehavior === "retry";
}

/** What is said where nothing is kept of the turn that shows this reply under this question. */
export function notKept(
  reply: Pick<ClientMessage, "isContinuing" | "resendInfo"> | undefined,
  question: Pick<ClientMessage, "resendInfo"> | undefined,
): TextKey {
  if (reply?.isContinuing === true) return "conversation.notContinued";
  if (reply?.resendInfo?.scene === "regenerate") return "conversation.notRegenerated";
  return question?.resendInfo?.scene === "edit" ? "conversation.notEdited" : "conversation.notSent";
}

/**
 * What a screen reader is told next. The end of a reply is told once: messages that come later, from another device, are
 * no part of it. Another last message at the end than while it ran, or one that is again what it was before it went on:
 * nothing of the turn was kept, and `ifNothing`, which was true of it while it ran, is told. A stop that came too late is
 * taken back: the reply is whole after all.
 */
export function nextAnnouncement(
  before: Announced,
  state: ClientSession["state"],
  last: (EndedMessage & Pick<ClientMessage, "key" | "askedAt">) | undefined,
  ifNothing: TextKey,
): Announced {
  const key = last === undefined ? null : `${last.key} ${last.askedAt}`;
  if (state === "sending" || state === "completing")
    return { ...before, runningKey: key ?? before.runningKey, ifNothing, text: "conversation.replyRunning" };
  if (state !== "idle" || before.runningKey === null) {
    if (before.text === "conversation.replyRunning") return { ...before, text: null };
    const isWhole = last?.status === "FINISHED" && last.key === before.endedKey;
    return before.text === "status.stopped" && isWhole ? { ...before, text: endAnnouncement(last) } : before;
  }
  const isKept = last !== undefined && key === before.runningKey && last.role !== "USER";
  return {
    ...before,
    runningKey: null,
    endedKey: isKept ? last.key : null,
    text: isKept ? endAnnouncement(last) : before.ifNothing,
  };
}

/** What a screen reader is told when a reply is over that was kept. */
export function endAnnouncement(reply: EndedMessage): TextKey {
  return reply.hint === null ? (endNote(reply) ?? "conversation.replyReady") : "conversation.replyFailed";
}
