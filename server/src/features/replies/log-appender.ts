// The write end of one reply's stream log: what the reply says waits here for the next group commit.
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { GROWING_TEXT } from "./reply-events.ts";

/** Code units a reply may hold back while the database is away, and for how long. */
const HELD_CHARS = 2 * 1024 * 1024;
const HELD_MS = 60_000;
/** Above so many that wait for one commit a model is held up: what a commit holds goes to each reader in one write. */
const GROUP_CHARS = 256 * 1024;
/** What an event counts that is not text. */
const EVENT_CHARS = 256;

/** Learns what became of the events. */
export interface LogListener {
  /** The events from id `firstId` on are durable. */
  onCommitted(firstId: number, events: StreamEvent[]): void;
  /** Another process holds the lease: nothing of this writer counts any more. */
  onFenced(): void;
  /** The database has been away for so long that no more can be held back. */
  onOverflow(): void;
  /** These events cannot be stored, now or later: they are dropped, and no others are taken. */
  onFailed(error: unknown): void;
}

/** The commit as an appender knows it. */
export interface CommitSchedule {
  /** @param isWaitedFor a run does nothing until this is stored */
  schedule(appender: LogAppender, isWaitedFor?: boolean): void;
  /** Resolves with the end of the commit under way, or of the next one. */
  nextFlush(): Promise<void>;
  /** Resolves when the next commit is due; null when nothing is gained by waiting for it. */
  pace(): Promise<void> | null;
  /** Monotonic ms. */
  now(): number;
}

/** Events have no ids before they are committed: those of the group begin with `nextId`. */
export class LogAppender {
  readonly reply: number;
  readonly epoch: number;
  nextId: number;
  readonly #schedule: CommitSchedule;
  readonly #listener: LogListener;
  #pending: StreamEvent[] = [];
  /** In the commit under way, or waiting to be retried: these must not change any more. */
  #frozen: StreamEvent[] = [];
  #closed = false;
  #heldSince: number | null = null;
  #heldChars = 0;

  constructor(
    schedule: CommitSchedule,
    at: { reply: number; epoch: number; nextId: number },
    listener: LogListener,
  ) {
    this.#schedule = schedule;
    this.#listener = listener;
    this.reply = at.reply;
    this.epoch = at.epoch;
    this.nextId = at.nextId;
  }

  /** Nothing is taken any more: fenced, failed, or the run has left. */
  get closed(): boolean {
    return this.#closed;
  }

  get frozen(): readonly StreamEvent[] {
    return this.#frozen;
  }

  get waits(): boolean {
    return this.#pending.length > 0;
  }

  /** Adds an event. Text for the fragment that grows joins the text before it: within a group it is one event. */
  append(event: StreamEvent): void {
    if (this.#closed) return;
    const last = this.#pending.at(-1);
    if (!joinText(last, event)) this.#pending.push(event);
    this.#heldChars +=
      event.type === "delta" && typeof event.data.v === "string" ? event.data.v.length : EVENT_CHARS;
    this.#schedule.schedule(this);
  }

  /** See `CommitSchedule.pace`; also while much waits for a commit. */
  pace(): Promise<void> | null {
    return this.#heldChars > GROUP_CHARS && !this.#closed
      ? this.#schedule.nextFlush()
      : this.#schedule.pace();
  }

  /** Takes what is not yet durable, for a transaction that writes it with the end, once no commit is under way. */
  async takeRest(): Promise<StreamEvent[]> {
    while (this.#frozen.length > 0 && !this.#closed) await this.#schedule.nextFlush();
    return this.#takePending();
  }

  /** Resolves when everything is durable or will not be, and after `ms` at the latest. */
  async drained(ms: number): Promise<void> {
    const until = this.#schedule.now() + ms;
    while (this.#pending.length + this.#frozen.length > 0 && !this.#closed && this.#schedule.now() < until) {
      this.#schedule.schedule(this, true);
      await this.#schedule.nextFlush();
    }
  }

  /** The events of the next commit; the same ones until `committed`. Empty when there are none. */
  freeze(): readonly StreamEvent[] {
    if (this.#frozen.length === 0) this.#frozen = this.#takePending();
    return this.#frozen;
  }

  committed(): void {
    const events = this.#frozen;
    const firstId = this.nextId;
    this.#frozen = [];
    this.#heldSince = null;
    this.nextId += events.length;
    this.#listener.onCommitted(firstId, events);
  }

  fence(): void {
    if (this.#closed) return;
    this.close();
    this.#listener.onFenced();
  }

  fail(error: unknown): void {
    if (this.#closed) return;
    this.close();
    this.#listener.onFailed(error);
  }

  /** The commit could not be made; it is retried. `now` is monotonic ms. */
  hold(now: number): void {
    this.#heldSince ??= now;
    if (this.#heldChars > HELD_CHARS || now - this.#heldSince > HELD_MS) this.#listener.onOverflow();
  }

  /** Drops what waits, and takes nothing more. */
  close(): void {
    this.#closed = true;
    this.#pending = [];
    this.#frozen = [];
  }

  #takePending(): StreamEvent[] {
    const events = this.#pending;
    this.#pending = [];
    this.#heldChars = 0;
    return events;
  }
}

function joinText(last: StreamEvent | undefined, event: StreamEvent): boolean {
  if (last?.type !== "delta" || event.type !== "delta") return false;
  const a = last.data;
  const b = event.data;
  if (a.o !== "APPEND" || b.o !== "APPEND" || a.p !== GROWING_TEXT || b.p !== GROWING_TEXT) return false;
  a.v = (a.v as string) + (b.v as string);
  return true;
}
