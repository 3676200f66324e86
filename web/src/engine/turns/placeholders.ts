// The messages shown before the server has stored them.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Message } from "@plumb/protocol/conversation/message";
import type { TurnModes } from "./turn-modes.ts";
import type { ClientMessage, ResendInfo } from "../sessions/client-message.ts";

/** What every turn that asks for a new reply is given. */
export interface TurnInput extends TurnModes {
  /** Ids below 0 that no message of this page has or had. */
  userId: number;
  replyId: number;
  clientStreamId: string;
  /** Milliseconds. */
  now: number;
}

function placeholder(
  id: number,
  input: TurnInput,
): Omit<ClientMessage, "parent_id" | "role" | "status" | "fragments"> {
  return {
    key: `local${id}`,
    message_id: id,
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
    resendInfo: null,
    askedAt: input.now,
    isStopped: false,
    isEditing: false,
    isContinuing: false,
    requestMessageId: null,
    responseMessageId: null,
  };
}

/** The user message of a turn. */
export function placeholderRequest(
  input: TurnInput,
  message: {
    parentId: number | null;
    prompt: string;
    files: FileInfo[];
    resendInfo: ResendInfo;
  },
): ClientMessage {
  const { parentId, prompt, files, resendInfo } = message;
  return {
    ...placeholder(input.userId, input),
    parent_id: parentId,
    role: "USER",
    status: "FINISHED",
    fragments: [{ id: 1, type: "REQUEST", content: prompt }],
    files,
    resendInfo,
  };
}

/** The reply of a turn, before its first event. */
export function placeholderReply(input: TurnInput, userId: number): ClientMessage {
  return {
    ...placeholder(input.replyId, input),
    parent_id: userId,
    role: "ASSISTANT",
    status: "WIP",
    fragments: [],
    has_pending_fragment: true,
    client_stream_id: input.clientStreamId,
    model: input.model,
    generateState: "INITIALIZING",
  };
}

/** The prompt of a user message, "" where there is none. */
export function promptOf(message: Message): string {
  const request = message.fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  return isFragment(request, "REQUEST") ? request.content : "";
}
