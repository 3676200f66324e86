// The answer to the repeat of a call whose reply has ended (wire-contract.md §11.2 "Idempotence"): what it said, and how it ended.
import type { Message } from "@plumb/protocol/conversation/message";
import { createEncoder } from "@plumb/protocol/stream/event-stream-encoder";
import { reduceReply, storedReply } from "@plumb/protocol/stream/reply-reducer";
import { type NumberedEvent, snapshotDelta, type StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { SseResponse } from "../../platform/http/sse-response.ts";
import { delta, isSnapshotEvent, snapshotEvent } from "./reply-events.ts";

/** From the log: the message as it stood before its end (WIP), then the end of its case with its own ids. */
export function replayFromLog(sse: SseResponse, message: Message, events: readonly NumberedEvent[]): void {
  const encoder = createEncoder();
  const endAt = events.findIndex(isEnd);
  const before = events.slice(0, endAt);
  const start = storedReply({ ...message, fragments: [] }, 0);
  const state = before.reduce(reduceReply, start);
  sse.write(encoder.encode(readyOf(message), null));
  sse.write(encoder.encode(snapshotEvent(state.message ?? message), state.lastEventId));
  for (const event of events.slice(endAt)) sse.write(encoder.encode(event, event.id));
  sse.end();
}

/** From the stored message alone: R, S in its end status with the id of its last event, then F, U and C without ids. */
export function replayFromStore(
  sse: SseResponse,
  message: Message,
  lastEventId: number,
  updatedAt: number,
): void {
  const encoder = createEncoder();
  const end: StreamEvent[] = [
    { type: "update_session", data: { updated_at: updatedAt } },
    { type: "close", data: { click_behavior: "none", auto_resume: false } },
  ];
  if (message.status === "FINISHED") end.unshift({ type: "finish", data: {} });
  sse.write(encoder.encode(readyOf(message), null));
  sse.write(encoder.encode(delta(snapshotDelta(message)), lastEventId));
  for (const event of end) sse.write(encoder.encode(event, null));
  sse.end();
}

/** True when the log still holds the run from its snapshot to its close. */
export function isWhole(events: readonly NumberedEvent[]): boolean {
  const snapshot = events.some(isSnapshotEvent);
  return snapshot && events.some(isEnd) && events.at(-1)?.type === "close";
}

function isEnd(event: NumberedEvent): boolean {
  if (event.type !== "delta" || event.data.p !== "response" || event.data.o !== "BATCH") return false;
  return (event.data.v as { p?: string }[]).some((item) => item.p === "quasi_status");
}

function readyOf(message: Message): StreamEvent {
  return {
    type: "ready",
    data: {
      request_message_id: message.parent_id ?? 0,
      response_message_id: message.message_id,
      model_type: "default",
    },
  };
}
