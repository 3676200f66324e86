// The one fold: events of a reply → the reply. The server's snapshot, the browser's screen and the tests' replay
// are all this function.
import type { Message } from "../conversation/message.ts";
import { applyDelta, isSnapshot, nextReader } from "./delta.ts";
import { emptyReply, FRESH_READER, type ReplyState } from "./reply-state.ts";
import type { DeltaEvent, ReceivedEvent } from "./stream-event.ts";

/** A reply known from storage: its message after the event `lastEventId`. */
export function storedReply(message: Message, lastEventId: number): ReplyState {
  return {
    ...emptyReply(),
    message,
    requestMessageId: message.parent_id,
    responseMessageId: message.message_id,
    lastEventId,
  };
}

/** To be called when a new response body begins: its deltas take nothing from those of the body before (wire-contract.md §4.4). */
export function startResponse(state: ReplyState): ReplyState {
  return state.reader === FRESH_READER ? state : { ...state, reader: FRESH_READER };
}

/**
 * The reply after one more event. An event whose id is not greater than `lastEventId` is ignored (only its delta's
 * path and op are remembered), so events seen twice change nothing. A snapshot always counts and sets `lastEventId`
 * to its own id, even backwards: the events after it come again. Event types not known here are ignored.
 * Throws ProtocolError, for a caller that skips the event, when a delta cannot be applied.
 */
export function reduceReply(state: ReplyState, event: ReceivedEvent): ReplyState {
  if (event.type === "delta") return reduceDelta(state, event.data, event.id);
  if (event.id !== null && event.id <= state.lastEventId) return state;
  const lastEventId = event.id ?? state.lastEventId;
  switch (event.type) {
    case "ready": {
      const ids = {
        lastEventId,
        requestMessageId: event.data.request_message_id,
        responseMessageId: event.data.response_message_id,
      };
      // Without an id it only repeats, at the start of a resumed body, the first one (wire-contract.md §4.2).
      if (event.id === null) return { ...state, ...ids };
      return { ...state, ...ids, finished: false, closed: null, hint: null, toasts: [] };
    }
    case "update_session": {
      const { updated_at: updatedAt, thinking_quota } = event.data;
      return { ...state, lastEventId, updatedAt, quota: thinking_quota ?? state.quota };
    }
    case "title":
      return { ...state, lastEventId, title: event.data.content };
    case "toast": {
      const toasts = [...state.toasts, { id: event.id, data: event.data }];
      return {
        ...state,
        lastEventId,
        toasts,
        message: event.data.clear_response === true ? null : state.message,
      };
    }
    case "hint":
      return {
        ...state,
        lastEventId,
        hint: event.data,
        message: event.data.clear_response ? null : state.message,
      };
    case "finish":
      return { ...state, lastEventId, finished: true, message: finishMessage(state.message) };
    case "close":
      return { ...state, lastEventId, closed: { click_behavior: event.data.click_behavior } };
    default:
      return state;
  }
}

function reduceDelta(state: ReplyState, delta: DeltaEvent["data"], id: number | null): ReplyState {
  const snapshot = isSnapshot(state.reader, delta);
  if (!snapshot && id !== null && id <= state.lastEventId) {
    const reader = nextReader(state.reader, delta);
    return reader === state.reader ? state : { ...state, reader };
  }
  const applied = applyDelta(state.message, state.reader, delta);
  const next = { ...state, message: withoutQuasiStatus(applied.message), reader: applied.reader };
  if (id === null) return next;
  const rewound = snapshot && id < state.lastEventId;
  next.lastEventId = id;
  return rewound ? forgetAfter(next, id) : next;
}

/** Removes the notices of events that come again after a snapshot older than they are. */
function forgetAfter(state: ReplyState, id: number): ReplyState {
  const toasts = state.toasts.filter((toast) => toast.id === null || toast.id <= id);
  return { ...state, finished: false, closed: null, hint: null, toasts };
}

function finishMessage(message: Message | null): Message | null {
  return message?.status === "WIP" ? { ...message, status: "FINISHED" } : message;
}

function withoutQuasiStatus(message: Message): Message {
  if (!Object.hasOwn(message, "quasi_status")) return message;
  const { quasi_status: _announced, ...rest } = message;
  return rest;
}
