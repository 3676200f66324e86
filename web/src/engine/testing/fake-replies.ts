// Recorded replies of the kinds that wire-contract.md §4.5 and §4.6 name, for the fake server.
import type { Message } from "@plumb/protocol/conversation/message";
import { snapshotDelta, type NumberedEvent, type StreamEvent } from "@plumb/protocol/stream/stream-event";
import { wireMessage } from "./wire-message.ts";

const TEXT = "response/fragments/-1/content";
const UPDATED_SECS = 1_790_000_010;

const delta = (p: string, o: "SET" | "APPEND" | "BATCH", v: unknown): StreamEvent => ({
  type: "delta",
  data: { p, o, v },
});

function ready(requestId: number, responseId: number): StreamEvent[] {
  return [
    {
      type: "ready",
      data: { request_message_id: requestId, response_message_id: responseId, model_type: "default" },
    },
    { type: "update_session", data: { updated_at: UPDATED_SECS } },
  ];
}

/** A reply that finishes. */
const finished: readonly StreamEvent[] = [
  delta("response", "BATCH", [
    { p: "accumulated_token_usage", v: 57 },
    { p: "quasi_status", v: "FINISHED" },
  ]),
  delta("response/status", "SET", "FINISHED"),
  { type: "finish", data: {} },
  { type: "update_session", data: { updated_at: UPDATED_SECS + 10 } },
  { type: "close", data: { click_behavior: "none", auto_resume: false } },
];

function numbered(events: readonly StreamEvent[], firstId = 1): NumberedEvent[] {
  return events.map((event, index) => ({ ...event, id: firstId + index }));
}

/** What S0 holds: the reply has no fragment yet. */
function emptyMessage(requestId: number, responseId: number, clientStreamId: string | null): Message {
  return wireMessage({
    message_id: responseId,
    parent_id: requestId,
    role: "ASSISTANT",
    status: "WIP",
    has_pending_fragment: true,
    client_stream_id: clientStreamId,
  });
}

/** R U S0 P N(RESPONSE) D E F U C: a model that reads for long before its first text. */
export function slowReply(
  requestId: number,
  responseId: number,
  clientStreamId: string | null,
): NumberedEvent[] {
  return numbered([
    ...ready(requestId, responseId),
    { type: "delta", data: snapshotDelta(emptyMessage(requestId, responseId, clientStreamId)) },
    delta("response/has_pending_fragment", "SET", false),
    delta("response/fragments", "APPEND", [
      { id: 2, type: "RESPONSE", content: "Fo", references: [], stage_id: 1 },
    ]),
    delta(TEXT, "APPEND", "ur."),
    ...finished,
  ]);
}

/** R U S0 E(filter) U C: the prompt was filtered; no toast. */
export function filteredPrompt(
  requestId: number,
  responseId: number,
  clientStreamId: string | null,
): NumberedEvent[] {
  const template = { id: 2, type: "TEMPLATE_RESPONSE", content: "Withdrawn." };
  return numbered([
    ...ready(requestId, responseId),
    { type: "delta", data: snapshotDelta(emptyMessage(requestId, responseId, clientStreamId)) },
    delta("response", "BATCH", [
      { p: "accumulated_token_usage", v: 3 },
      { p: "quasi_status", v: "CONTENT_FILTER" },
      { p: "ban_regenerate", v: true },
      { p: "status", v: "CONTENT_FILTER" },
      { p: "fragments", v: [template] },
      { p: "has_pending_fragment", v: false },
    ]),
    delta("response/status", "SET", "CONTENT_FILTER"),
    { type: "update_session", data: { updated_at: UPDATED_SECS + 10 } },
    { type: "close", data: { click_behavior: "none", auto_resume: false } },
  ]);
}

/** R U S D E F U C on the same message, its events counted on from `firstId`. */
export function continuedReply(message: Message, firstId: number): NumberedEvent[] {
  return numbered(
    [
      ...ready(message.parent_id ?? 0, message.message_id),
      { type: "delta", data: snapshotDelta({ ...message, status: "WIP" }) },
      delta(TEXT, "APPEND", " And"),
      delta(TEXT, "APPEND", " so on."),
      ...finished,
    ],
    firstId,
  );
}

/** The events of a thinking reply (wire-contract.md §4.6), numbered from 1. */
export function thinkingReply(
  requestId: number,
  responseId: number,
  clientStreamId: string | null,
): NumberedEvent[] {
  const path = "response/fragments/-1/content";
  const append = (v: string): StreamEvent => ({ type: "delta", data: { p: path, o: "APPEND", v } });
  const message = wireMessage({
    message_id: responseId,
    parent_id: requestId,
    role: "ASSISTANT",
    status: "WIP",
    thinking_enabled: true,
    client_stream_id: clientStreamId,
    fragments: [{ id: 2, type: "THINK", content: "Two", elapsed_secs: null, references: [], stage_id: 1 }],
  });
  const answer = { id: 3, type: "RESPONSE", content: "Fo", references: [], stage_id: 1 };
  const events: StreamEvent[] = [
    {
      type: "ready",
      data: { request_message_id: requestId, response_message_id: responseId, model_type: "default" },
    },
    { type: "update_session", data: { updated_at: UPDATED_SECS } },
    { type: "delta", data: snapshotDelta(message) },
    append(" plus"),
    append(" two 🧮"),
    { type: "delta", data: { p: "response/fragments/-1/elapsed_secs", o: "SET", v: 0.8 } },
    { type: "delta", data: { p: "response/fragments", o: "APPEND", v: [answer] } },
    append("ur"),
    append(", 四."),
    {
      type: "delta",
      data: {
        p: "response",
        o: "BATCH",
        v: [
          { p: "accumulated_token_usage", v: 57 },
          { p: "quasi_status", v: "FINISHED" },
        ],
      },
    },
    { type: "delta", data: { p: "response/status", o: "SET", v: "FINISHED" } },
    { type: "finish", data: {} },
    { type: "update_session", data: { updated_at: UPDATED_SECS + 10 } },
    { type: "title", data: { content: "Adding two and two" } },
    { type: "close", data: { click_behavior: "none", auto_resume: false } },
  ];
  return events.map((event, index) => ({ ...event, id: index + 1 }));
}
