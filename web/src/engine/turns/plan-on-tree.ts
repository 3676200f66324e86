// What a plan does to the messages on show: when the turn begins, and when nothing of it is kept. Pure.
import {
  getMessage,
  insertMessage,
  leafOf,
  removeMessage,
  replaceMessage,
  showMessage,
  siblingsOf,
  updateMessage,
  type MessageTree,
} from "@plumb/protocol/conversation/message-tree";
import { isInterrupted, type Message } from "@plumb/protocol/conversation/message";
import type { ClientMessage, MessageHint } from "../sessions/client-message.ts";
import { modelOf } from "./turn-call.ts";
import type { TurnPlan } from "./turn-plan.ts";

type Tree = MessageTree<ClientMessage>;

/** The ids under which the two messages of a turn stand in the tree; they change when the server has stored them. */
export interface TurnIds {
  userId: number;
  replyId: number;
}

/** Where a send goes: under the reply on show, or as a new root. */
export function parentForSend(tree: Tree): number | null {
  const leaf = leafOf(tree);
  if (leaf === null) return null;
  const message = getMessage(tree, leaf);
  // A user message without a reply can't be answered under; its sibling is what the server will make.
  return message?.role === "USER" ? message.parent_id : leaf;
}

/** Takes away what was never sent: a new turn stands in its place. */
export function withoutUnsent(tree: Tree): Tree {
  for (const id of [...tree.nodes.keys()]) if (id < 0) tree = removeMessage(tree, id);
  return tree;
}

/** Whether the turn can begin on this tree: the message it hangs on is there. */
export function canBegin(tree: Tree, plan: TurnPlan): boolean {
  const [first] = plan.placeholders;
  if (first === undefined) return tree.nodes.has(plan.replyId);
  return first.parent_id === null || tree.nodes.has(first.parent_id);
}

/** Shows that the turn begins. `now` in milliseconds. */
export function beginPlan(tree: Tree, plan: TurnPlan, now: number): Tree {
  if (plan.scene === "resumeStream") return tree;
  tree = withEditBox(withoutUnsent(tree), plan, false);
  for (const message of plan.placeholders) tree = insertMessage(tree, message);
  return updateMessage(showMessage(tree, plan.replyId), plan.replyId, (message) => ({
    ...message,
    status: "WIP",
    hint: null,
    generateState: "INITIALIZING",
    askedAt: now,
    isStopped: false,
    isContinuing: plan.scene === "continue",
  }));
}

/** The box that the turn's text was typed in, opened or closed. */
function withEditBox(tree: Tree, { typed }: TurnPlan, isEditing: boolean): Tree {
  if (typed === null || typed.editOf === null) return tree;
  return updateMessage(tree, typed.editOf, (message) => ({ ...message, isEditing }));
}

/**
 * Shows that nothing of the turn is kept. `hint` says why, at the message that a retry belongs to; without one the
 * turn leaves no trace, and an edit has its box again. `localId` is for a message that was stored and is not any more.
 */
export function rollbackPlan(
  tree: Tree,
  plan: TurnPlan,
  { userId, replyId }: TurnIds,
  { hint, localId }: { hint: MessageHint | null; localId: number },
): Tree {
  const { rollback } = plan;
  switch (rollback.kind) {
    case "message":
      return updateMessage(tree, replyId, () => ({
        ...rollback.before,
        hint,
        resendInfo: hint === null ? rollback.before.resendInfo : { scene: "continue" },
      }));
    case "reply":
      tree = showMessage(removeMessage(tree, replyId), rollback.shows);
      if (hint === null) return tree;
      return updateMessage(tree, rollback.shows, (message) => ({
        ...message,
        hint,
        resendInfo: { scene: "regenerate", model: modelOf(plan.call) },
      }));
    case "pair": {
      tree = removeMessage(tree, replyId);
      const user = getMessage(tree, userId);
      if (hint === null || user === undefined) {
        tree = withEditBox(removeMessage(tree, userId), plan, true);
        return rollback.shows === null ? tree : showMessage(tree, rollback.shows);
      }
      const id = userId < 0 ? userId : localId;
      return replaceMessage(tree, userId, { ...user, message_id: id, hint });
    }
  }
}

/** Swaps the placeholders for what the server calls them. */
export function assignIds(
  tree: Tree,
  ids: TurnIds,
  stored: { requestId: number | null; responseId: number },
): { tree: Tree; ids: TurnIds } {
  let { userId, replyId } = ids;
  const { requestId, responseId } = stored;
  const user = getMessage(tree, userId);
  if (userId < 0 && requestId !== null && user !== undefined && !tree.nodes.has(requestId)) {
    tree = replaceMessage(tree, userId, { ...user, message_id: requestId, hint: null });
    userId = requestId;
  }
  const reply = getMessage(tree, replyId);
  if (replyId < 0 && reply !== undefined && !tree.nodes.has(responseId)) {
    tree = replaceMessage(tree, replyId, { ...reply, message_id: responseId });
    replyId = responseId;
  }
  return { tree, ids: { userId, replyId } };
}

/**
 * Takes away what the server removed when it stored the new message with this id: failed siblings (wire-contract.md §17.2).
 * One that was answered under stays.
 */
export function withoutFailedSiblings(tree: Tree, id: number): Tree {
  for (const sibling of siblingsOf(tree, id).ids) {
    if (sibling !== id && sibling > 0 && isFailed(tree, sibling)) tree = removeMessage(tree, sibling);
  }
  return tree;
}

/** A reply that ended early without any text, or a user message all of whose replies did. */
function isFailed(tree: Tree, id: number): boolean {
  const node = tree.nodes.get(id);
  if (node === undefined) return false;
  const { message, childIds } = node;
  if (message.role === "USER") return childIds.every((child) => isFailed(tree, child));
  return isInterrupted(message.status) && !hasText(message) && childIds.length === 0;
}

function hasText(message: Message): boolean {
  return message.fragments.some((fragment) => "content" in fragment && !!fragment.content);
}
