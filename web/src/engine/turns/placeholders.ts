// The messages shown before the server knows of them, and the branch they are put under.
import {
  getMessage,
  insertMessage,
  leafOf,
  removeMessage,
  type MessageTree,
} from "@plumb/protocol/conversation/message-tree";
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { isInterrupted, type Message } from "@plumb/protocol/conversation/message";
import type { ClientMessage } from "../sessions/client-message.ts";

type Tree = MessageTree<ClientMessage>;

export interface PlaceholderInput {
  userId: number;
  replyId: number;
  parentId: number | null;
  prompt: string;
  thinking: boolean;
  search: boolean;
  clientStreamId: string;
  /** Milliseconds. */
  now: number;
}

function blank(
  input: PlaceholderInput,
): Omit<ClientMessage, "key" | "message_id" | "parent_id" | "role" | "status" | "fragments"> {
  return {
    files: [],
    accumulated_token_usage: 0,
    thinking_enabled: input.thinking,
    search_enabled: input.search,
    ban_regenerate: false,
    ban_edit: false,
    has_pending_fragment: false,
    feedback: null,
    inserted_at: input.now / 1000,
    client_stream_id: null,
    model: "",
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
    generateState: null,
    hint: null,
  };
}

/** Puts the pair of a send into the tree and on show. */
export function insertPlaceholders(tree: Tree, input: PlaceholderInput): Tree {
  const user: ClientMessage = {
    ...blank(input),
    key: `local${input.userId}`,
    message_id: input.userId,
    parent_id: input.parentId,
    role: "USER",
    status: "FINISHED",
    fragments: [{ id: 1, type: "REQUEST", content: input.prompt }],
  };
  const reply: ClientMessage = {
    ...blank(input),
    key: `local${input.replyId}`,
    message_id: input.replyId,
    parent_id: input.userId,
    role: "ASSISTANT",
    status: "WIP",
    fragments: [],
    has_pending_fragment: true,
    client_stream_id: input.clientStreamId,
    generateState: "INITIALIZING",
  };
  return insertMessage(insertMessage(tree, user), reply);
}

/** The prompt of a user message, "" where there is none. */
export function promptOf(message: Message): string {
  const request = message.fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  return isFragment(request, "REQUEST") ? request.content : "";
}

/** Takes away what was never sent: a new send stands in its place. */
export function withoutUnsent(tree: Tree): Tree {
  for (const id of [...tree.nodes.keys()]) if (id < 0) tree = removeMessage(tree, id);
  return tree;
}

/** Where a send goes: under the reply on show, or as a new root. */
export function parentForSend(tree: Tree): number | null {
  const leaf = leafOf(tree);
  if (leaf === null) return null;
  const message = getMessage(tree, leaf);
  // A user message without a reply can't be answered under; its sibling is what the server will make.
  return message?.role === "USER" ? message.parent_id : leaf;
}

function hasText(message: Message): boolean {
  return message.fragments.some((fragment) => "content" in fragment && !!fragment.content);
}

/**
 * Takes a failed pair away where the server will do so too: a user message all of whose replies ended early
 * without any text (wire-contract.md §17.2). Others stay as a branch.
 */
export function withoutFailedPair(tree: Tree, userId: number): Tree {
  const node = tree.nodes.get(userId);
  if (node === undefined) return tree;
  const lost = node.childIds.every((id) => {
    const reply = getMessage(tree, id);
    return reply === undefined || (isInterrupted(reply.status) && !hasText(reply));
  });
  return lost ? removeMessage(tree, userId) : tree;
}
