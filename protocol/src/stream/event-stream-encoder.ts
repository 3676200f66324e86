// Events → the text of an event stream (wire-contract.md §4.1).
import { type DeltaReader, FRESH_READER, nextReader } from "./delta.ts";
import type { Delta, StreamEvent } from "./stream-event.ts";

/** A comment frame: tells readers and proxies that the stream lives, and nothing else. */
export const KEEP_ALIVE = ": keep-alive\n\n";

/** Encodes the events of one response body, in order. */
export interface EventStreamEncoder {
  /** One frame. `id` null leaves the id line out (the ready frame of a resume). */
  encode(event: StreamEvent, id: number | null): string;
}

/**
 * An encoder for one response body; it leaves out the path and op of a delta where wire-contract.md §4.4 allows it: in a first
 * delta that is a snapshot, and in an APPEND to the same path as the APPEND before it. Takes explicit deltas, as the
 * stream log holds them, and short ones, read as a stream of their own.
 */
export function createEncoder(): EventStreamEncoder {
  let reader = FRESH_READER;
  let first = true;

  function shorten(delta: Delta): Delta {
    const next = nextReader(reader, delta);
    const implied = first ? isRootSet(next) : next === reader && next.o === "APPEND";
    reader = next;
    first = false;
    return implied ? { v: delta.v } : { p: next.p, o: next.o, v: delta.v };
  }

  return {
    encode(event, id) {
      const name = event.type === "delta" ? "" : `event: ${event.type}\n`;
      const data = JSON.stringify(event.type === "delta" ? shorten(event.data) : event.data);
      return `${id === null ? "" : `id: ${id}\n`}${name}data: ${data}\n\n`;
    },
  };
}

function isRootSet({ p, o }: DeltaReader): boolean {
  return p === "" && o === "SET";
}
