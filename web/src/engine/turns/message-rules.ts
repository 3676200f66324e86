// What may be done with a message on show, and why not (requirements 1§4, 1§5). Pure.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import { canBeShared } from "@plumb/protocol/rules/can-be-shared";
import type { ClientMessage } from "../sessions/client-message.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Text } from "../text.ts";

type SessionState = ClientSession["state"];

/** Where a session and its user stand. */
export interface Standing {
  state: SessionState;
  /** Until when the user may not write (unix seconds), null for none. */
  mutedUntil: number | null;
  /** Nothing can be asked here: its persona was deleted, or it is a share. */
  isReadOnly: boolean;
}

/** Why nothing can be asked of the model in this session now; null where it can. */
export function askBlock({ state, mutedUntil, isReadOnly }: Standing): Text | null {
  if (isReadOnly) return { key: "characterDeleted" };
  if (mutedUntil !== null) return { key: "mutedUntil", params: { mute_until: { moment: mutedUntil } } };
  switch (state) {
    case "idle":
      return null;
    case "completing":
      return { key: "waitForReply" };
    case "sending":
      return { key: "stillSending" };
    default:
      return { key: "historyIncomplete" };
  }
}

/** Whether the server may still write this reply: it runs, or this page left it before its end. */
export function needsStop(status: MessageStatus): boolean {
  return status === "WIP" || status === "INCOMPLETE";
}

/** Why this reply can't be asked for again now; null where it can. */
export function regenerateBlock(standing: Standing, message: ClientMessage): Text | null {
  if (message.status === "CONTENT_FILTER") return { key: "contentFiltered" };
  if (message.status === "CONTEXT_LENGTH_EXCEEDED") return { key: "contextLengthExceeded" };
  if (message.ban_regenerate || message.fragments.some((part) => isFragment(part, "TEMPLATE_RESPONSE")))
    return { key: "cannotRegenerate" };
  return askBlock(standing);
}

/** The button that lets a reply go on. */
export type ContinueButton = { shown: false } | { shown: true; blocked: Text | null };

/**
 * Whether this reply may be continued: one that ended INCOMPLETE with some text, nothing after it. While the history is
 * awaited nobody knows that.
 */
export function continueButton(
  standing: Standing,
  message: ClientMessage,
  { isLast }: { isLast: boolean },
): ContinueButton {
  const hasText = message.fragments.some((part) => "content" in part && part.content !== "");
  const allowed =
    !standing.isReadOnly && isLast && message.message_id > 0 && message.status === "INCOMPLETE" && hasText;
  if (!allowed || standing.state === "fetchingHistory" || standing.state === "historyError")
    return { shown: false };
  return { shown: true, blocked: askBlock(standing) };
}

/** Why this question can't be edited now; null where it can. */
export function editBlock(standing: Standing, message: ClientMessage): Text | null {
  return message.ban_edit ? { key: "editNotAllowed" } : askBlock(standing);
}

/** Why this reply, with the question it answers, can't be shared; null where it can. */
export function shareBlock(reply: ClientMessage, question: ClientMessage | undefined): Text | null {
  const isShareable = question !== undefined && canBeShared(question) && canBeShared(reply);
  return isShareable ? null : { key: "cannotShare" };
}
