// The stream log → one response. First and resumed readers alike only follow it; one that falls behind leaves the live
// feed and reads the log from where it stands, so that a slow connection costs no memory.
import type { Feedback, Message } from "@plumb/protocol/conversation/message";
import { type Fragment } from "@plumb/protocol/conversation/fragment";
import {
  encodeEvent,
  encodeEvents,
  type EncoderState,
  FRESH_ENCODER,
  KEEP_ALIVE,
} from "@plumb/protocol/stream/event-stream-encoder";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Database } from "../../platform/database/database.ts";
import { jsonPieces } from "../../platform/http/json-pieces.ts";
import type { SseResponse } from "../../platform/http/sse-response.ts";
import type { Logger } from "../../platform/logger.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { splitAtFragments } from "../sessions/message-pieces.ts";
import { eventsAfter, readLog } from "../sessions/stream-log-store.ts";
import type { EventBatch } from "./event-batch.ts";
import { delta, snapshotEvent } from "./reply-events.ts";
import type { FeedListener, ReplyFeed } from "./reply-feed.ts";
import { charsOf } from "./reply-size.ts";

/** Above this a subscriber counts as slow: it has had its share of memory. */
const BEHIND_BYTES = 256 * 1024;
/** Rows of the log that are read at once: as many as hold about so many characters, going by the read before. */
const READ_CHARS = 128 * 1024;
const FIRST_ROWS = 8;
const MOST_ROWS = 100;
/** Above this a snapshot is written in pieces, as it is taken. */
const SNAPSHOT_CHARS = 64 * 1024;

/** Where a response begins. */
export type Beginning =
  /** With events that are stored but may not have been sent: `ready` first. */
  | { kind: "first"; events: readonly NumberedEvent[] }
  /** With the reply as it stands, or after the event the reader has (wire-contract.md §4.2). */
  | { kind: "resume"; lastEventId: number | null; feedback: Feedback | null };

export class StreamSubscriber implements FeedListener {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #feed: ReplyFeed;
  readonly #sse: SseResponse;
  #encoder: EncoderState = FRESH_ENCODER;
  #position = 0;
  #rows = FIRST_ROWS;
  /** Everything the feed has was sent: what comes is sent as it comes. */
  #live = false;
  /** The log is being read, or a frame written in pieces: nothing else may be written meanwhile. */
  #busy = false;
  /** That of now, for the snapshots that the log holds from before; undefined: they are newer than the reader. */
  #feedback: Feedback | null | undefined;
  /** A snapshot without a fragment was sent (S0), and none has come since. */
  #awaitsFragment = false;
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

  begin(beginning: Beginning): void {
    this.#leave = this.#feed.join(this);
    this.#sse.onClose(() => this.#leave());
    this.#sse.onDrain(() => void this.#catchUp());
    if (beginning.kind === "first") this.#send(beginning.events);
    else this.#resume(beginning);
    void this.#catchUp();
  }

  onEvents(batch: EventBatch): void {
    if (!this.#live) return;
    try {
      this.#sendBatch(batch);
    } catch (error) {
      // What one subscriber cannot be sent must not keep the others, or the commit, from going on.
      this.#log.error(
        { err: error, reply: this.#feed.reply },
        "a subscriber could not be written to; it is cut and resumes",
      );
      return this.cut();
    }
    // It goes on when it has taken what waits; one that takes nothing is cut (unread-response.ts).
    if (this.#sse.buffered > BEHIND_BYTES) this.#live = false;
  }

  onGone(): void {
    this.cut();
  }

  keepAlive(): void {
    // Inside a frame a comment would be part of its data; what is under way keeps the connection alive.
    if (!this.#busy) this.#write(KEEP_ALIVE);
  }

  /** Ends the response without `close`: the reader resumes. It is cut when it has not taken the rest within `ms`. */
  endWithin(ms: number): void {
    this.#leave();
    this.#sse.endWithin(ms);
  }

  /** Cuts the connection: the reader resumes. */
  cut(): void {
    this.#leave();
    this.#sse.destroy();
  }

  #resume({ lastEventId, feedback }: Extract<Beginning, { kind: "resume" }>): void {
    const { state } = this.#feed;
    if (state.message === null) return this.cut();
    // Feedback is given beside the log, which tells none.
    const message = { ...state.message, feedback };
    const ready: StreamEvent = {
      type: "ready",
      data: {
        request_message_id: state.requestMessageId ?? message.parent_id ?? 0,
        response_message_id: message.message_id,
        model_type: "default",
      },
    };
    this.#write(this.#encode(ready, null));
    if (lastEventId !== null) {
      this.#position = lastEventId;
      this.#feedback = feedback;
      return;
    }
    this.#position = state.lastEventId;
    this.#awaitsFragment = message.fragments.length === 0;
    if (charsOf(message) > SNAPSHOT_CHARS)
      return this.#sendInPieces(snapshotEvent(message), state.lastEventId);
    this.#write(this.#encode(snapshotEvent(message), state.lastEventId));
  }

  /** A snapshot that is too long for one write. What comes meanwhile is read from the log afterwards. */
  #sendInPieces(snapshot: StreamEvent, id: number): void {
    const { response } = (snapshot.data as { v: { response: { fragments: Fragment[] } } }).v;
    const emptied = delta({ p: "", o: "SET", v: { response: { ...response, fragments: [] } } });
    const [before, after] = splitAtFragments(this.#encode(emptied, id));
    async function* frame(): AsyncGenerator<string> {
      yield before;
      for (const [index, fragment] of response.fragments.entries()) {
        yield index === 0 ? "[" : ",";
        yield* jsonPieces({ ...fragment });
      }
      yield `]${after}`;
    }
    this.#busy = true;
    const written = this.#sse.writePieces(frame());
    void written
      .catch((error: unknown) => {
        this.#log.error({ err: error, reply: this.#feed.reply }, "a snapshot could not be written");
        this.cut();
      })
      .finally(() => {
        this.#busy = false;
        this.lastWrite = this.#now();
        void this.#catchUp();
      });
  }

  /** Reads the log until nothing is missing, then goes live in the same synchronous step. */
  async #catchUp(): Promise<void> {
    if (this.#live || this.#busy) return;
    this.#busy = true;
    try {
      while (!this.#sse.closed && this.#position < this.#feed.state.lastEventId) {
        if (this.#sse.buffered > BEHIND_BYTES) return;
        await ownTurn();
        const groups = await readLog(this.#db.kysely, this.#feed.reply, this.#position + 1, this.#rows);
        const events = eventsAfter(groups, this.#position);
        // The log is gone: the reader resumes and is answered from the stored message.
        if (events.length === 0) return this.cut();
        const chars = this.#send(events);
        this.#rows = Math.max(1, Math.min(MOST_ROWS, Math.round((groups.length * READ_CHARS) / chars)));
      }
      this.#live = true;
    } catch (error) {
      this.#log.warn(
        { err: error, reply: this.#feed.reply },
        "a subscriber could not catch up; it is cut and resumes",
      );
      this.cut();
    } finally {
      this.#busy = false;
    }
  }

  /** Live events, in the text that all subscribers share who stand where this one does. */
  #sendBatch(batch: EventBatch): void {
    const { events } = batch;
    const last = events.at(-1);
    if (this.#awaitsFragment || last === undefined || events[0]?.id !== this.#position + 1) {
      return void this.#send(events.filter((event) => event.id > this.#position));
    }
    const closes = events.findIndex((event) => event.type === "close");
    if (closes !== -1 && closes < events.length - 1) return void this.#send(events);
    const { text, after } = batch.encode(this.#encoder);
    this.#encoder = after;
    this.#position = last.id;
    this.#write(text);
    if (last.type === "close") this.#end();
  }

  /** Returns how many characters were written, at least 1. */
  #send(events: readonly NumberedEvent[]): number {
    const close = events.findIndex((event) => event.type === "close");
    // What a later run of the same reply has logged is not this response's.
    const own = (close === -1 ? events : events.slice(0, close + 1)).map((event) => this.#asOfNow(event));
    const last = own.at(-1);
    if (last === undefined) return 1;
    const text = this.#awaitsFragment
      ? own.map((event) => this.#encodeFirstFragment(event)).join("")
      : this.#encodeAll(own);
    this.#position = last.id;
    this.#write(text);
    if (close !== -1) this.#end();
    return Math.max(1, text.length);
  }

  /** A snapshot of the log as one that is taken now would be: with the feedback that was given since. */
  #asOfNow(event: NumberedEvent): NumberedEvent {
    if (this.#feedback === undefined || !isSnapshot(event)) return event;
    const { response } = event.data.v as { response: Message };
    const v = { response: { ...response, feedback: this.#feedback } };
    return { ...event, data: { ...event.data, v } };
  }

  /**
   * After S0 the first fragment arrives by P and N, and not by the snapshot that the log may hold (wire-contract.md §4.5). The two
   * are one event of the log: P goes without an id, so that a reader takes both.
   */
  #encodeFirstFragment(event: NumberedEvent): string {
    if (!this.#awaitsFragment || event.type !== "delta") return this.#encodeAll([event]);
    const { p, v } = event.data;
    if (p === "response/fragments") this.#awaitsFragment = false;
    if (!isSnapshot(event)) return this.#encodeAll([event]);
    const { fragments } = (v as { response: { fragments: Fragment[] } }).response;
    if (fragments.length === 0) return this.#encodeAll([event]);
    this.#awaitsFragment = false;
    const pending = delta({ p: "response/has_pending_fragment", o: "SET", v: false });
    const appended = delta({ p: "response/fragments", o: "APPEND", v: fragments });
    return this.#encode(pending, null) + this.#encode(appended, event.id);
  }

  #encode(event: StreamEvent, id: number | null): string {
    const [text, after] = encodeEvent(this.#encoder, event, id);
    this.#encoder = after;
    return text;
  }

  #encodeAll(events: readonly NumberedEvent[]): string {
    const [text, after] = encodeEvents(this.#encoder, events);
    this.#encoder = after;
    return text;
  }

  #end(): void {
    this.#leave();
    this.#sse.end();
  }

  #write(text: string): void {
    this.#sse.write(text);
    this.lastWrite = this.#now();
  }
}

/** True for S and S0 (wire-contract.md §4.5): the whole reply. */
function isSnapshot(event: NumberedEvent): event is Extract<NumberedEvent, { type: "delta" }> {
  return event.type === "delta" && event.data.p === "" && event.data.o === "SET";
}
