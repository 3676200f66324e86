// What a process knows of one reply: the fold of its committed events, and who reads along. Fed from memory after each
// commit where the reply runs in this process, from the log where it runs in another one: one feed, two sources.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { EventBatch } from "./event-batch.ts";

export interface FeedListener {
  /** New events, in order and without a gap after what the feed held when the listener joined. */
  onEvents(batch: EventBatch): void;
  /** The reply was deleted or given up, or its feed is another's now: here there will be no end. */
  onGone(): void;
}

export class ReplyFeed {
  readonly reply: number;
  readonly #listeners = new Set<FeedListener>();
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

  get listeners(): number {
    return this.#listeners.size;
  }

  join(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the feed has closed, or will not close here. */
  async ended(): Promise<void> {
    if (this.closed) return;
    await new Promise<void>((resolve) => {
      const leave = this.join({
        onEvents: () => {
          if (this.closed) end();
        },
        onGone: () => end(),
      });
      const end = (): void => {
        leave();
        resolve();
      };
    });
  }

  /** Tells all listeners that no end will come here. */
  vanish(): void {
    for (const listener of [...this.#listeners]) listener.onGone();
  }

  /** Takes committed events; those it has already are ignored, so that both sources may bring the same. */
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
    if (this.#listeners.size === 0) return;
    const batch = new EventBatch(fresh);
    for (const listener of this.#listeners) listener.onEvents(batch);
  }
}
