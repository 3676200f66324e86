// What a turn will do, as data: what is shown before the server answers, what is asked of it, where the fold of its
// events starts, and what is rolled back when nothing of it is kept.
import { type ReplyState, emptyReply } from "@plumb/protocol/stream/reply-state";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { getMessage, type MessageTree } from "@plumb/protocol/conversation/message-tree";
import type { Message } from "@plumb/protocol/conversation/message";
import type { ClientMessage, ResendInfo } from "../sessions/client-message.ts";
import { editDraftKey, nextDraftKey } from "../sessions/edit-drafts.ts";
import { placeholderReply, placeholderRequest, type TurnInput } from "./placeholders.ts";
import type { TurnCall } from "./turn-call.ts";
import type { TurnPhase } from "./turn-phase.ts";

export type Rollback =
  /** Both messages go; with a hint the user message stays as an unsent one. Then `shows` is on show again. */
  | { kind: "pair"; shows: number | null }
  /** The reply goes; the one of before, `shows`, is on show again and carries the hint. */
  | { kind: "reply"; shows: number }
  /** The message becomes again what it was. */
  | { kind: "message"; before: ClientMessage };

/** The text of a turn, and the message whose edit box it was typed in; null for the composer, whose files go with it. */
export interface TypedText {
  text: string;
  editOf: number | null;
  /** It was queued. */
  isNext?: boolean;
  fileIds: readonly string[];
}

export interface TurnPlan {
  scene: "firstCompletion" | "completion" | "regenerate" | "editMessage" | "continue" | "resumeStream";
  /** The two messages of the turn; ids below 0 are placeholders. */
  userId: number;
  replyId: number;
  /** Messages to insert, parents first. */
  placeholders: readonly ClientMessage[];
  rollback: Rollback;
  /** The text that is given back when nothing of the turn is kept. */
  typed: TypedText | null;
  /** Null for a reply that runs already. */
  call: TurnCall | null;
  foldFrom: ReplyState;
  startsIn: TurnPhase;
}

type Tree = MessageTree<ClientMessage>;

/** The default model goes without a name: a server without a choice knows no other. */
function chosenModel({ model }: TurnInput): { model?: string } {
  return model === "" ? {} : { model };
}

const PREPARING: TurnPhase = { name: "preparing" };

/** The key of the draft that a turn's text was, in the session of this key. */
export function draftKeyOf({ editOf, isNext }: TypedText, key: string): string {
  if (isNext === true) return nextDraftKey(key);
  return editOf === null ? key : editDraftKey(key, editOf);
}

/** A prompt under `parentId`, null for a new root. `knownLastId`: the greatest message id seen of the session. */
export function planNew(
  input: TurnInput,
  turn: {
    parentId: number | null;
    prompt: string;
    files: FileInfo[];
    knownLastId: number | null;
    isNext?: boolean;
  },
): TurnPlan {
  const { userId, replyId, clientStreamId } = input;
  const { parentId, prompt, files, knownLastId, isNext = false } = turn;
  const fileIds = files.map(({ id }) => id);
  const resendInfo: ResendInfo = { scene: "completion", ...(isNext ? { nextId: clientStreamId } : {}) };
  const request = placeholderRequest(input, { parentId, prompt, files, resendInfo });
  return {
    scene: knownLastId === null ? "firstCompletion" : "completion",
    userId,
    replyId,
    placeholders: [request, placeholderReply(input, userId)],
    rollback: { kind: "pair", shows: null },
    typed: { text: prompt, editOf: null, fileIds, isNext },
    call: {
      kind: "completion",
      fields: {
        parent_message_id: parentId,
        known_last_message_id: knownLastId,
        prompt,
        ref_file_ids: fileIds,
        thinking_enabled: input.thinking,
        search_enabled: input.search,
        ...chosenModel(input),
        client_stream_id: clientStreamId,
      },
    },
    foldFrom: emptyReply(),
    startsIn: PREPARING,
  };
}

/** Another reply beside the one with this id. Null where there is no such reply of a stored message. */
export function planRegenerate(tree: Tree, input: TurnInput, messageId: number): TurnPlan | null {
  const old = getMessage(tree, messageId);
  if (old?.role !== "ASSISTANT" || old.parent_id === null || messageId < 0) return null;
  return {
    scene: "regenerate",
    userId: old.parent_id,
    replyId: input.replyId,
    placeholders: [
      { ...placeholderReply(input, old.parent_id), resendInfo: { scene: "regenerate", model: input.model } },
    ],
    rollback: { kind: "reply", shows: messageId },
    typed: null,
    call: {
      kind: "regenerate",
      fields: {
        child_message_id: messageId,
        thinking_enabled: input.thinking,
        search_enabled: input.search,
        ...chosenModel(input),
        client_stream_id: input.clientStreamId,
      },
    },
    foldFrom: emptyReply(),
    startsIn: PREPARING,
  };
}

/** Another prompt beside the user message with this id, with its files. Null where there is no such stored message. */
export function planEdit(
  tree: Tree,
  input: TurnInput,
  turn: { messageId: number; prompt: string },
): TurnPlan | null {
  const { messageId, prompt } = turn;
  const old = getMessage(tree, messageId);
  if (old?.role !== "USER" || messageId < 0) return null;
  const request = placeholderRequest(input, {
    parentId: old.parent_id,
    prompt,
    files: old.files,
    resendInfo: { scene: "edit", editMessageId: messageId },
  });
  return {
    scene: "editMessage",
    userId: input.userId,
    replyId: input.replyId,
    placeholders: [request, placeholderReply(input, input.userId)],
    rollback: { kind: "pair", shows: messageId },
    typed: { text: prompt, editOf: messageId, fileIds: [] },
    call: {
      kind: "edit_message",
      fields: {
        message_id: messageId,
        prompt,
        thinking_enabled: input.thinking,
        search_enabled: input.search,
        ...chosenModel(input),
        client_stream_id: input.clientStreamId,
      },
    },
    foldFrom: emptyReply(),
    startsIn: PREPARING,
  };
}

/** The same reply goes on. Null where there is no INCOMPLETE reply with this id and nothing under it. */
export function planContinue(tree: Tree, messageId: number): TurnPlan | null {
  const node = tree.nodes.get(messageId);
  if (node === undefined || messageId < 0 || node.childIds.length > 0) return null;
  const { message } = node;
  if (message.role !== "ASSISTANT" || message.status !== "INCOMPLETE" || message.parent_id === null)
    return null;
  return {
    scene: "continue",
    userId: message.parent_id,
    replyId: messageId,
    placeholders: [],
    rollback: { kind: "message", before: message },
    typed: null,
    call: { kind: "continue", fields: { message_id: messageId } },
    // Its text comes whole with the first snapshot (wire-contract.md §4.6).
    foldFrom: emptyReply(),
    startsIn: PREPARING,
  };
}

/** A reply that still runs in the history. */
export function planResume(message: Message): TurnPlan {
  const { message_id: replyId, parent_id: userId } = message;
  return {
    scene: "resumeStream",
    userId: userId ?? replyId,
    replyId,
    placeholders: [],
    rollback: { kind: "pair", shows: null },
    typed: null,
    call: null,
    foldFrom: { ...emptyReply(), requestMessageId: userId, responseMessageId: replyId },
    startsIn: { name: "streaming" },
  };
}
