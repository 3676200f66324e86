// What the user sees and the server doesn't have stays when a history comes anew. Pure.
import {
  getMessage,
  insertMessage,
  leafOf,
  shownBranch,
  showMessage,
  type MessageTree,
} from "@plumb/protocol/conversation/message-tree";
import type { ClientMessage } from "./client-message.ts";

type Tree = MessageTree<ClientMessage>;

/** Below which message of `fresh` this one goes; undefined where there is no such place any more. */
function placeIn(fresh: Tree, before: Tree, message: ClientMessage): number | null | undefined {
  const { parent_id: parentId, role, resendInfo } = message;
  // The first of them stands under a stored message, a reply under its own question.
  const isThere = parentId === null || fresh.nodes.has(parentId);
  if (role === "ASSISTANT") return isThere ? parentId : undefined;
  if (parentId !== null && parentId < 0 && isThere) return parentId;
  const wasShown = shownBranch(before).includes(message.message_id);
  // An edit stands beside what it edits; what was typed below all goes below what others have written meanwhile.
  if (resendInfo?.scene === "edit" || !wasShown) return isThere ? parentId : undefined;
  const leaf = leafOf(fresh);
  const last = leaf === null ? undefined : getMessage(fresh, leaf);
  return last?.role === "USER" ? last.parent_id : leaf;
}

/**
 * `fresh` with the messages of `before` that were never stored (ids below 0), on show where they were. One that
 * reached the server after all, which its client_stream_id tells, is left out, and so is one whose place is gone: its
 * text was given back when it failed.
 */
export function withUnsentOf(fresh: Tree, before: Tree): Tree {
  const unsent = [...before.nodes.values()].filter(({ message }) => message.message_id < 0);
  if (unsent.length === 0) return fresh;
  const shown = shownBranch(before);
  const arrived = new Set([...fresh.nodes.values()].map(({ message }) => message.client_stream_id));
  const hasArrived = ({ message, childIds }: (typeof unsent)[number]): boolean =>
    [message, ...childIds.map((id) => getMessage(before, id))].some(
      (one) => one?.client_stream_id != null && arrived.has(one.client_stream_id),
    );
  let tree = fresh;
  // Made in this order: a question before its reply.
  for (const node of unsent.toSorted((a, b) => b.message.message_id - a.message.message_id)) {
    const parentId = hasArrived(node) ? undefined : placeIn(tree, before, node.message);
    if (parentId === undefined) continue;
    const showing = leafOf(tree);
    const { message } = node;
    tree = insertMessage(
      tree,
      message.parent_id === parentId ? message : { ...message, parent_id: parentId },
    );
    if (!shown.includes(message.message_id) && showing !== null) tree = showMessage(tree, showing);
  }
  return tree;
}
