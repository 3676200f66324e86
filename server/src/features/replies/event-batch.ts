// Events that were committed together, and their text on the wire: encoded once for all subscribers that read alike.
import { type EncoderState, encodeEvents } from "@plumb/protocol/stream/event-stream-encoder";
import type { NumberedEvent } from "@plumb/protocol/stream/stream-event";

export interface EncodedBatch {
  text: string;
  /** The encoder of a response after it. */
  after: EncoderState;
}

export class EventBatch {
  /** In order and without a gap. */
  readonly events: readonly NumberedEvent[];
  readonly #encoded = new Map<string, EncodedBatch>();

  constructor(events: readonly NumberedEvent[]) {
    this.events = events;
  }

  /** The frames for a response whose encoder stands at `before`. */
  encode(before: EncoderState): EncodedBatch {
    const key = `${before.first} ${before.reader.o} ${before.reader.p}`;
    let encoded = this.#encoded.get(key);
    if (encoded === undefined) {
      const [text, after] = encodeEvents(before, this.events);
      encoded = { text, after };
      this.#encoded.set(key, encoded);
    }
    return encoded;
  }
}
