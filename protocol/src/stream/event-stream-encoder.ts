// Events → the text of an event stream (wire-contract.md §4.1).
import { nextReader } from "./delta.ts";
import { type DeltaReader, FRESH_READER } from "./reply-state.ts";
import type { Delta, NumberedEvent, StreamEvent } from "./stream-event.ts";

/** A comment frame: keeps the connection open through readers and proxies. */
export const KEEP_ALIVE = ": keep-alive\n\n";

/** What the next frame of a response body depends on. */
export interface EncoderState {
  /** Path and op of a delta that has none. */
  readonly reader: DeltaReader;
  /** True before the first delta of the body. */
  readonly first: boolean;
}

/** The encoder at the start of every response body. */
export const FRESH_ENCODER: EncoderState = { reader: FRESH_READER, first: true };

/**
 * One frame, and the state after it. `id` null leaves the id line out (the ready frame of a resume). The path and op of a
 * delta are left out where wire-contract.md §4.4 allows it: in a first delta that is a snapshot, and in an APPEND to the same path
 * as the APPEND before it. Takes explicit deltas, as the stream log holds them, and short ones, read as a stream of their
 * own.
 */
export function encodeEvent(
  state: EncoderState,
  event: StreamEvent,
  id: number | null,
): [text: string, after: EncoderState] {
  if (event.type !== "delta") return [frame(`event: ${event.type}\n`, event.data, id), state];
  const [delta, after] = shorten(state, event.data);
  return [frame("", delta, id), after];
}

/** The frames of these events in one text, each with its own id. */
export function encodeEvents(
  before: EncoderState,
  events: readonly NumberedEvent[],
): [text: string, after: EncoderState] {
  let text = "";
  let state = before;
  for (const event of events) {
    const [next, after] = encodeEvent(state, event, event.id);
    text += next;
    state = after;
  }
  return [text, state];
}

/** Encodes the events of one response body, in order. */
export interface EventStreamEncoder {
  /** One frame. `id` null leaves the id line out. */
  encode(event: StreamEvent, id: number | null): string;
}

export function createEncoder(): EventStreamEncoder {
  let state = FRESH_ENCODER;
  return {
    encode(event, id) {
      const [text, after] = encodeEvent(state, event, id);
      state = after;
      return text;
    },
  };
}

function frame(name: string, data: unknown, id: number | null): string {
  return `${id === null ? "" : `id: ${id}\n`}${name}data: ${JSON.stringify(data)}\n\n`;
}

function shorten(state: EncoderState, delta: Delta): [Delta, EncoderState] {
  const next = nextReader(state.reader, delta);
  const same = !state.first && next === state.reader;
  const implied = state.first ? isRootSet(next) : same && next.o === "APPEND";
  const after = same ? state : { reader: next, first: false };
  return [implied ? { v: delta.v } : { p: next.p, o: next.o, v: delta.v }, after];
}

function isRootSet({ p, o }: DeltaReader): boolean {
  return p === "" && o === "SET";
}
