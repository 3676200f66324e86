// The text of an event stream, cut anywhere → events (wire-contract.md §4.1, §4.3).
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { LIMITS } from "../limits.ts";
import { readStreamEvent } from "./read-stream-event.ts";
import type { ReceivedEvent } from "./stream-event.ts";

/**
 * Why a frame was skipped: its data is no JSON, breaks the schema of its event, has an `id:` that is no number, or is
 * too large. After a too large frame that never ended the decoder reads no further: give the body up and resume.
 */
export interface BadFrame {
  reason: "json" | "schema" | "id" | "too_large";
  /** The frame's event name, null when it is not known. */
  event: string | null;
}

/** Callbacks are called from within `push` and must not throw, else the rest of the pushed text is lost. */
export interface DecoderHandlers {
  onEvent(event: ReceivedEvent): void;
  onBad(frame: BadFrame): void;
  /** A comment, such as the keep-alive. */
  onComment?(text: string): void;
}

export interface EventStreamDecoder {
  /** More text, cut at any place. */
  push(text: string): void;
  /** The body ended: a frame without its empty line is dropped. Later pushes are ignored. */
  end(): void;
}

export interface EventStreamByteDecoder {
  /** More bytes, cut at any place, within a character too. Bytes that are no UTF-8 become U+FFFD. */
  push(bytes: Uint8Array): void;
  end(): void;
}

/** A decoder for one response body. Unknown event names are skipped. */
export function createDecoder(handlers: DecoderHandlers): EventStreamDecoder {
  let ended = false;

  function read(frame: EventSourceMessage): void {
    const event = frame.event ?? null;
    if (frame.data.length > LIMITS.streamFrameChars) return handlers.onBad({ reason: "too_large", event });
    const id = readId(frame.id);
    if (id === undefined) return handlers.onBad({ reason: "id", event });
    const result = readStreamEvent(event, frame.data);
    if (result === "unknown") return;
    if (typeof result === "string") return handlers.onBad({ reason: result, event });
    handlers.onEvent({ ...result, id });
  }

  const { onComment } = handlers;
  const parser = createParser({
    maxBufferSize: LIMITS.streamFrameChars,
    onEvent: read,
    onComment: onComment && ((text) => onComment.call(handlers, text)),
    onError(error) {
      // Other errors are unknown fields, which a reader ignores.
      if (error.type !== "max-buffer-size-exceeded") return;
      ended = true;
      handlers.onBad({ reason: "too_large", event: null });
    },
  });

  return {
    push(text) {
      if (!ended) parser.feed(text);
    },
    end() {
      ended = true;
      parser.reset();
    },
  };
}

/** The same for bytes as they come from the network. */
export function createByteDecoder(handlers: DecoderHandlers): EventStreamByteDecoder {
  const decoder = createDecoder(handlers);
  // The parser strips the byte order mark itself; stripping it here too would eat a second one.
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
  return {
    push: (bytes) => decoder.push(text.decode(bytes, { stream: true })),
    end: () => decoder.end(),
  };
}

/** Null without an `id:` line, undefined for one that is no positive integer. */
function readId(text: string | undefined): number | null | undefined {
  if (text === undefined) return null;
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
