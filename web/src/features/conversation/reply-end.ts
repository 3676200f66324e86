// How a reply ended, in a sentence. The history keeps no hints: there the status and the text are all there is.
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import type { ClientSession } from "../../engine/sessions/client-session.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { answerText } from "./answer-text.ts";

type EndedMessage = Pick<ClientMessage, "role" | "status" | "fragments" | "hint" | "isStopped">;

/** What was told last of a session, and of which reply the end is still to be told. */
export interface Announced {
  /** Key of the last message while a reply runs, null before one was seen to. */
  runningKey: string | null;
  text: TextKey | null;
}

/** Why a reply ended otherwise than by finishing; null for one that finished or still runs. */
export function endNote({
  status,
  fragments,
  isStopped,
}: Pick<EndedMessage, "status" | "fragments" | "isStopped">): TextKey | null {
  switch (status) {
    case "WIP":
    case "FINISHED":
      return null;
    case "INCOMPLETE":
      if (isStopped) return "status.stopped";
      return answerText({ fragments }) === "" ? "status.noAnswer" : "status.incomplete";
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
  return status === "TIMEOUT" || (status === "INCOMPLETE" && answerText({ fragments }) === "");
}

/**
 * Whether another try is all that can be done with a reply: it failed, nothing of its answer came, and a try is offered at it
 * or at its question.
 */
export function isOnlyRetried(
  message: Pick<EndedMessage, "status" | "fragments" | "hint">,
  isLast: boolean,
): boolean {
  if (answerText(message) !== "") return false;
  return message.hint === null ? isLast && mayRetry(message) : message.hint.clickBehavior === "retry";
}

/**
 * What a screen reader is told next. The end of a reply is told once: messages that come later, from another device, are
 * no part of it. Another last message at the end than while it ran: nothing of it was kept.
 */
export function nextAnnouncement(
  before: Announced,
  state: ClientSession["state"],
  last: (EndedMessage & Pick<ClientMessage, "key">) | undefined,
): Announced {
  if (state === "sending" || state === "completing")
    return { runningKey: last?.key ?? before.runningKey, text: "conversation.replyRunning" };
  if (state !== "idle" || before.runningKey === null)
    return before.text === "conversation.replyRunning" ? { ...before, text: null } : before;
  const kept = last?.key === before.runningKey ? last : undefined;
  return { runningKey: null, text: endAnnouncement(kept) };
}

/** What a screen reader is told when a reply is over. `last` is the last message on show, undefined without any. */
export function endAnnouncement(last: EndedMessage | undefined): TextKey {
  if (last === undefined || last.role === "USER") return "conversation.notSent";
  if (last.hint !== null) return "conversation.replyFailed";
  return endNote(last) ?? "conversation.replyReady";
}
