// A message of the wire for tests.
import type { Message } from "@plumb/protocol/conversation/message";

export const INSERTED_SECS = 1_790_000_000;

export function wireMessage(
  part: Partial<Message> & Pick<Message, "message_id" | "parent_id" | "role">,
): Message {
  return {
    status: "FINISHED",
    fragments: [],
    files: [],
    accumulated_token_usage: 0,
    thinking_enabled: false,
    search_enabled: false,
    ban_regenerate: false,
    ban_edit: false,
    has_pending_fragment: false,
    feedback: null,
    inserted_at: INSERTED_SECS,
    client_stream_id: null,
    model: "",
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
    ...part,
  };
}

/** A question and its answer, both ended. */
export const shortTalk: readonly Message[] = [
  wireMessage({
    message_id: 1,
    parent_id: null,
    role: "USER",
    fragments: [{ id: 1, type: "REQUEST", content: "hi" }],
  }),
  wireMessage({
    message_id: 2,
    parent_id: 1,
    role: "ASSISTANT",
    fragments: [{ id: 2, type: "RESPONSE", content: "hello" }],
  }),
];
