// The stream log → one response. First and resumed readers alike only follow it; a reader that falls behind leaves the
// live feed and reads the log from where it stands, so that a slow connection costs no memory.
import type { Fragment } from "@plumb/protocol/conversation/fragment";

import { createEncoder, KEEP_ALIVE } from "@plumb/protocol/stream/event-stream-encoder";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Database } from "../../platform/database/database.ts";
import type { SseResponse } from "../../platform/http/sse-response.ts";
import type { Logger } from "../../platform/logger.ts";
import { eventsAfter, readLog } from "../sessions/stream-log-store.ts";
import { delta, snapshotEvent } from "./reply-events.ts";
import type { FeedReader, ReplyFeed } from "./reply-feed.ts";

/** Above this the reader counts as slow: it has had its share of memory. */
const BEHIND_BYTES = 256 * 1024;
const ROWS_PER_READ = 100;

/** Where a response begins. */
export type Beginning =
  /** With events that are stored but may not have been sent: `ready` first. */
  | { kind: "first"; events: readonly NumberedEvent[] }
  /** With the reply as it stands, or after the event the reader has (wire-contract.md §4.2). */
  | { kind: "resume"; lastEventId: number | null };

export class ReplyFollower implements FeedReader {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #feed: ReplyFeed;
  readonly #sse: SseResponse;
  readonly #encoder = createEncoder();
  #position = 0;
  #live = false;
  #catching = false;
  #sentEmptySnapshot = false;
  #leave: () => void = () => {};
  /** Monotonic ms. */
  lastWrite: number;

  constructor(context: { db: Database; log: Logger; now: () => number }, feed: ReplyFeed, sse: SseResponse) {
    this.#db = context.db;
    this.#log = context.log;
    this.#now = context.now;
    this.#feed = feed;
    this.#sse = sse;
    this.lastWrite = context.now();
  }

  readonly #now: () => number;

  begin(beginning: Beginning): void {
    this.#leave = this.#feed.join(this);
    this.#sse.onClose(() => this.#leave());
    this.#sse.onDrain(() => void this.#catchUp());
    if (beginning.kind === "first") this.#send(beginning.events);
    else this.#resume(beginning.lastEventId);
    void this.#catchUp();
  }

  onEvents(events: readonly NumberedEvent[]): void {
    if (!this.#live) return;
    try {
      this.#send(events.filter((event) => event.id > this.#position));
    } catch (error) {
      // What one reader cannot be told must not keep the others, or the commit that tells them, from going on.
      this.#log.error(
        { err: error, reply: this.#feed.reply },
        "a reader could not be told; it is cut and resumes",
      );
      return this.cut();
    }
    // It goes on when it has taken what waits; one that takes nothing is cut (sse-response.ts).
    if (this.#sse.buffered > BEHIND_BYTES) this.#live = false;
  }

  onGone(): void {
    this.cut();
  }

  keepAlive(): void {
    this.#write(KEEP_ALIVE);
  }

  /** Ends the connection without `close`: the reader resumes. */
  cut(): void {
    this.#leave();
    this.#sse.destroy();
  }

  #resume(lastEventId: number | null): void {
    const { state } = this.#feed;
    const { message } = state;
    if (message === null) return this.cut();
    const ready: StreamEvent = {
      type: "ready",
      data: {
        request_message_id: state.requestMessageId ?? message.parent_id ?? 0,
        response_message_id: message.message_id,
        model_type: "default",
      },
    };
    this.#write(this.#encoder.encode(ready, null));
    if (lastEventId !== null) {
      this.#position = lastEventId;
      return;
    }
    this.#sentEmptySnapshot = message.fragments.length === 0;
    this.#write(this.#encoder.encode(snapshotEvent(message), state.lastEventId));
    this.#position = state.lastEventId;
  }

  /** Reads the log until nothing is missing, then goes live in the same synchronous step. */
  async #catchUp(): Promise<void> {
    if (this.#live || this.#catching) return;
    this.#catching = true;
    try {
      while (!this.#sse.closed && this.#position < this.#feed.state.lastEventId) {
        if (this.#sse.buffered > BEHIND_BYTES) return;
        const groups = await readLog(this.#db.kysely, this.#feed.reply, this.#position + 1, ROWS_PER_READ);
        const events = eventsAfter(groups, this.#position);
        // The log is gone: the reader resumes and is answered from the stored message.
        if (events.length === 0) return this.cut();
        this.#send(events);
      }
      this.#live = true;
    } catch (error) {
      this.#log.warn(
        { err: error, reply: this.#feed.reply },
        "a reader could not catch up; it is cut and resumes",
      );
      this.cut();
    } finally {
      this.#catching = false;
    }
  }

  #send(events: readonly NumberedEvent[]): void {
    if (events.length === 0) return;
    let text = "";
    let closes = false;
    for (const event of events) {
      text += this.#encoder.encode(
        this.#sentEmptySnapshot ? this.#afterEmptySnapshot(event) : event,
        event.id,
      );
      this.#position = event.id;
      closes = event.type === "close";
      // What a later run of the same reply has logged is not this response's.
      if (closes) break;
    }
    this.#write(text);
    if (!closes) return;
    this.#leave();
    this.#sse.end();
  }

  /** After an empty snapshot the first fragment arrives by a BATCH, not by another snapshot (wire-contract.md §4.5 S0). */
  #afterEmptySnapshot(event: NumberedEvent): StreamEvent {
    if (event.type !== "delta") return event;
    this.#sentEmptySnapshot = false;
    const { p, o, v } = event.data;
    if (p !== "" || o !== "SET") return event;
    const fragments = (v as { response: { fragments: Fragment[] } }).response.fragments;
    if (fragments.length === 0) return event;
    const batch = [
      { p: "has_pending_fragment", v: false },
      { p: "fragments", o: "APPEND", v: fragments },
    ];
    return delta({ p: "response", o: "BATCH", v: batch });
  }

  #write(text: string): void {
    this.#sse.write(text);
    this.lastWrite = this.#now();
  }
}
