// What the server says of an account, against the model.
import type { Message } from "@plumb/protocol/conversation/message";
import { fetchSessionPage, historyMessages, type Session } from "@plumb/protocol/wire/sessions";
import { expect } from "vitest";
import { type ChatModel, type ModelMessage, type ModelSession, runningIn } from "./chat-model.ts";
import type { RealChat } from "./real-chat.ts";
import { listed } from "./turn-model.ts";

/** What both know of a message. */
export function told(message: Message) {
  return {
    id: message.message_id,
    parent: message.parent_id,
    role: message.role,
    status: message.status,
    parts: message.fragments.map((part) => ({
      type: part.type,
      text: "content" in part ? part.content : null,
    })),
    partIds: message.fragments.map(({ id }) => id),
    pending: message.has_pending_fragment,
    thinking: message.thinking_enabled,
    model: message.model,
    streamId: message.client_stream_id,
    banEdit: message.ban_edit,
    banRegenerate: message.ban_regenerate,
    feedback: message.feedback,
    usage: message.accumulated_token_usage,
  };
}

export function modeled(message: ModelMessage): ReturnType<typeof told> {
  const first = message.role === "USER" ? 1 : 2;
  return {
    id: message.id,
    parent: message.parent,
    role: message.role,
    status: message.status as Message["status"],
    parts: message.parts,
    // A withdrawn text is replaced by a fragment behind it.
    partIds:
      message.status === "CONTENT_FILTER"
        ? [expect.any(Number) as number]
        : message.parts.map((_, index) => first + index),
    pending: message.status === "WIP" && message.parts.length === 0,
    thinking: message.thinking,
    model: message.model,
    streamId: message.streamId,
    banEdit: message.banEdit,
    banRegenerate: message.banRegenerate,
    feedback: message.feedback,
    usage: message.usage,
  };
}

const toldSession = (session: Session) => ({
  id: session.id,
  title: session.title,
  titleType: session.title_type,
  version: session.version,
  current: session.current_message_id,
  pinned: session.pinned,
  isEmpty: session.is_empty,
});

const modeledSession = (session: ModelSession): ReturnType<typeof toldSession> => ({
  id: session.id,
  title: session.title,
  titleType: session.titleType,
  version: session.version,
  current: session.current,
  pinned: session.pinned,
  isEmpty: session.current === null,
});

/** The history of the session is the model's, with and without what the caller has of it. */
export async function compareHistory(
  real: RealChat,
  session: ModelSession,
  cacheVersion: number | null = null,
): Promise<void> {
  const input = {
    chat_session_id: session.id,
    ...(cacheVersion === null ? {} : { cache_version: cacheVersion }),
  };
  const history = await real.person.ok(historyMessages, input);
  const valid = cacheVersion === session.version && runningIn(session) === undefined;
  expect(history.cache_valid).toBe(valid);
  expect(toldSession(history.chat_session)).toEqual(modeledSession(session));
  expect(history.chat_messages.map(told)).toEqual(valid ? [] : session.messages.map(modeled));
}

/** The list, its order and what is pinned of it are the model's. */
export async function compareList(real: RealChat, model: ChatModel): Promise<void> {
  const page = await real.person.ok(fetchSessionPage, {});
  const expected = listed(model).map(modeledSession);
  expect(page.chat_sessions.map(toldSession)).toEqual(expected);
  expect(page.pinned_sessions?.map(toldSession)).toEqual(expected.filter(({ pinned }) => pinned));
  expect(page.has_more).toBe(false);
}
