// What a process knows of one reply: the fold of its committed events, and who reads along. Fed from memory after each
// commit where the reply runs in this process, from the log where it runs in another one: one feed, two sources.
import { reduceReply, type ReplyState } from "@plumb/protocol/stream/reply-reducer";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";

export interface FeedReader {
  /** New events, in order and without a gap after what the feed held when the reader joined. */
  onEvents(events: readonly NumberedEvent[]): void;
  /** The reply was deleted or given up, or its feed is another's now: here there will be no end. */
  onGone(): void;
}

export class ReplyFeed {
  readonly reply: number;
  readonly #readers = new Set<FeedReader>();
  #state: ReplyState;

  constructor(reply: number, state: ReplyState) {
    this.reply = reply;
    this.#state = state;
  }

  /** The reply after the last committed event. Take it and `join` in the same synchronous block: no gap, nothing twice. */
  get state(): ReplyState {
    return this.#state;
  }

  get closed(): boolean {
    return this.#state.closed !== null;
  }

  get readers(): number {
    return this.#readers.size;
  }

  join(reader: FeedReader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Lets the readers go, who will hear no end here. */
  vanish(): void {
    for (const reader of [...this.#readers]) reader.onGone();
  }

  /** Takes committed events; those it has already are ignored, so that both sources may tell the same. */
  publish(firstId: number, events: readonly StreamEvent[]): void {
    const fresh: NumberedEvent[] = [];
    let id = firstId;
    for (const event of events) {
      if (id > this.#state.lastEventId) {
        const numbered: NumberedEvent = { ...event, id };
        this.#state = reduceReply(this.#state, numbered);
        fresh.push(numbered);
      }
      id += 1;
    }
    if (fresh.length === 0) return;
    for (const reader of this.#readers) reader.onEvents(fresh);
  }
}
