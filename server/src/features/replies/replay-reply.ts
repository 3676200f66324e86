// The answer to the repeat of a call whose reply has ended (wire-contract.md §11.2 "Idempotence"): what it said, and how it ended.
import type { Message } from "@plumb/protocol/conversation/message";
import { createEncoder } from "@plumb/protocol/stream/event-stream-encoder";
import { type NumberedEvent, snapshotDelta, type StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Database } from "../../platform/database/database.ts";
import type { SseResponse } from "../../platform/http/sse-response.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { fragmentPieces, splitAtFragments } from "../sessions/message-pieces.ts";
import { type MessageHead, presentHead } from "../sessions/message-store.ts";
import type { SessionRow } from "../sessions/session-store.ts";
import { eventsAfter, type LoggedGroup, readLogBackwards } from "../sessions/stream-log-store.ts";
import { delta } from "./reply-events.ts";

/** An end is stored with its BATCH, and with `close` where a title was waited for (settle-reply.ts). */
const END_GROUPS = 2;

/** An ended reply as stored. */
export interface EndedReply {
  session: SessionRow;
  head: MessageHead;
  reply: number;
}

/**
 * Writes the whole answer. The words go from the stored message to the reader in pieces, however long they are. While
 * the log is kept the message comes as it stood before its end, and the end of its case follows with its own ids; later
 * it comes in its end status, and F, U and C follow without ids.
 */
export async function replayReply(db: Database, sse: SseResponse, ended: EndedReply): Promise<void> {
  const { session, head } = ended;
  const end = await readEnd(db, ended);
  const encoder = createEncoder();
  sse.write(encoder.encode(readyOf(head), null));

  const message = presentHead(head);
  const [first] = end;
  const snapshot =
    first === undefined
      ? encoder.encode(delta(snapshotDelta(message)), head.last_event_id)
      : encoder.encode(delta(snapshotDelta(beforeEnd(message, head))), first.id - 1);
  await sse.writePieces(withFragments(snapshot, fragmentPieces(db, head)));

  for (const event of end) sse.write(encoder.encode(event, event.id));
  if (first === undefined) {
    for (const event of shortEnd(message, toSeconds(session.updated_at))) {
      sse.write(encoder.encode(event, null));
    }
  }
  sse.end();
}

/** The events from the end status to `close`; none when the log does not hold them any more. No words are read. */
async function readEnd(db: Database, { head, reply }: EndedReply): Promise<NumberedEvent[]> {
  const groups: LoggedGroup[] = [];
  for await (const group of readLogBackwards(db.kysely, reply)) {
    groups.unshift(group);
    const events = eventsAfter(groups, 0);
    const close = events.at(-1);
    if (close?.type !== "close" || close.id !== head.last_event_id) return [];
    const begin = events.findIndex(isEnd);
    if (begin !== -1) return events.slice(begin);
    if (groups.length === END_GROUPS) return [];
  }
  return [];
}

async function* withFragments(
  frame: string,
  fragments: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  const [before, after] = splitAtFragments(frame);
  yield before;
  yield* fragments;
  yield after;
}

/** The message as it stood before its end, its words left out. */
function beforeEnd(message: Message, head: MessageHead): Message {
  return {
    ...message,
    status: "WIP",
    accumulated_token_usage: 0,
    ban_regenerate: false,
    has_pending_fragment: head.bytes <= "[]".length,
  };
}

function shortEnd(message: Message, updatedAt: number): StreamEvent[] {
  const end: StreamEvent[] = [
    { type: "update_session", data: { updated_at: updatedAt } },
    { type: "close", data: { click_behavior: "none", auto_resume: false } },
  ];
  return message.status === "FINISHED" ? [{ type: "finish", data: {} }, ...end] : end;
}

function isEnd(event: NumberedEvent): boolean {
  if (event.type !== "delta" || event.data.p !== "response" || event.data.o !== "BATCH") return false;
  return (event.data.v as { p?: string }[]).some((item) => item.p === "quasi_status");
}

function readyOf(head: MessageHead): StreamEvent {
  return {
    type: "ready",
    data: {
      request_message_id: head.parent_id ?? 0,
      response_message_id: head.message_id,
      model_type: "default",
    },
  };
}
