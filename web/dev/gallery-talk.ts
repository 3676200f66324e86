// What the gallery's server holds: the list of chats, and the messages of the one on show.
import type { Message } from "@plumb/protocol/conversation/message";
import { snapshotDelta, type StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Session } from "@plumb/protocol/wire/sessions";
import { ok } from "../src/engine/testing/fake-answers.ts";
import type { FakeServer } from "../src/engine/testing/fake-server.ts";
import { wireMessage } from "../src/engine/testing/wire-message.ts";
import { thinking } from "./gallery-texts.ts";

/** The session on show. */
export const SHOWN = "s1";
export const SHOWN_PATH = `/a/chat/s/${SHOWN}`;
const SHOWN_TITLE = "Why tides lag behind the moon";

const nowSecs = Math.floor(Date.now() / 1000);

/** A session as the list shows it; `daysAgo` may be a fraction. */
function listed(id: string, title: string | null, daysAgo: number): Session {
  const secs = Math.floor(nowSecs - daysAgo * 86_400);
  return {
    id,
    seq_id: secs,
    agent: "chat",
    character_id: null,
    model_type: "default",
    title,
    title_type: "SYSTEM",
    version: 1,
    current_message_id: null,
    pinned: false,
    is_empty: false,
    route_id: null,
    inserted_at: secs,
    updated_at: secs,
  };
}

const chats = [
  listed(SHOWN, SHOWN_TITLE, 0.01),
  listed("s2", "一个特别长的中文标题用来检查侧边栏的渐隐效果是否正确显示", 0.02),
  listed("s3", "A very long English title that will not fit in the row at all", 1),
  listed("s4", "Regex for ISO dates", 1.1),
  listed("s5", "给妈妈写一封信", 4),
  listed("s6", "SQLite or PostgreSQL?", 5),
  listed("s7", null, 12),
  listed("s8", "Sourdough, second try", 20),
  ...Array.from({ length: 24 }, (_, index) =>
    listed(`m${index}`, `Older chat number ${index + 1}`, 40 + index * 5),
  ),
];

/** The list of the sidebar has chats. */
export function listChats(server: FakeServer): void {
  server.answer("/api/v0/chat_session/fetch_page", () => ok({ chat_sessions: chats, has_more: false }));
}

function message(part: Partial<Message> & Pick<Message, "message_id" | "role" | "fragments">): Message {
  return wireMessage({ parent_id: part.message_id === 1 ? null : part.message_id - 1, ...part });
}

export function user(id: number, content: string): Message {
  return message({ message_id: id, role: "USER", fragments: [{ id: 1, type: "REQUEST", content }] });
}

export function answer(id: number, content: string, part: Partial<Message> = {}): Message {
  const fragments = [{ id: 2, type: "RESPONSE" as const, content }];
  return message({ message_id: id, role: "ASSISTANT", fragments, ...part });
}

/** A reply with these fragments. */
export function reply(
  id: number,
  fragments: Message["fragments"],
  status: Message["status"] = "FINISHED",
): Message {
  return message({ message_id: id, role: "ASSISTANT", fragments, status });
}

/** A reply that thought; `content` null: the answer has not begun. */
export function thought(id: number, elapsed: number | null, content: string | null): Message {
  return reply(
    id,
    [
      { id: 2, type: "THINK", content: thinking, elapsed_secs: elapsed },
      ...(content === null ? [] : [{ id: 3, type: "RESPONSE" as const, content }]),
    ],
    content === null ? "WIP" : "FINISHED",
  );
}

/** The session on show holds these messages. */
export function holdTalk(server: FakeServer, messages: readonly Message[], title = SHOWN_TITLE): void {
  listChats(server);
  server.addSession(SHOWN, messages, { title, updatedAtSecs: nowSecs - 900 });
}

/** The same, and the last message is a reply that has come this far and stays there. */
export function holdRunning(server: FakeServer, messages: readonly Message[]): void {
  const last = messages.at(-1);
  if (last === undefined) throw new Error("a running reply needs a message");
  const running: Message = { ...last, status: "WIP", client_stream_id: "gallery" };
  holdTalk(server, [...messages.slice(0, -1), running]);
  const requestId = running.parent_id ?? 1;
  const responseId = running.message_id;
  const events: StreamEvent[] = [
    { type: "ready", data: { request_message_id: requestId, response_message_id: responseId } },
    { type: "delta", data: snapshotDelta(running) },
    { type: "delta", data: { p: "response/status", o: "SET", v: "FINISHED" } },
  ];
  server.beginReply({
    sessionId: SHOWN,
    clientStreamId: "gallery",
    requestId,
    responseId,
    events: events.map((event, index) => ({ ...event, id: index + 1 })),
  });
  server.produce(2);
}
