// All writes of the stream log go through here: the first event after silence goes at once, then
// at most one commit each LOG_FLUSH_MS, all replies of the process in one statement.
import type { ExplicitDelta, StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Clock } from "../../ports/clock.ts";
import { findLogRows } from "../sessions/stream-log-store.ts";

/** Under load, or when a commit is slow, fewer and larger writes cost less than the delay they add. */
const STRETCHED_FLUSH_MS = 50;
const SLOW_COMMIT_MS = 5;
const MANY_REPLIES = 64;
/** Replies whose readers are told in one turn of the event loop: 300 at once would hold up everybody else for 10 ms. */
const REPLIES_PER_TURN = 32;
const RETRY_MS = 250;
/** Code units a reply may hold back while the database is away, and for how long. */
const BUFFER_CHARS = 2 * 1024 * 1024;
const BUFFER_MS = 60_000;

export const LOG_CHANNEL = "reply_log";
/** pg_notify takes just under 8000 bytes. */
const IDS_PER_NOTICE = 400;

export interface LogOwner {
  readonly reply: number;
  readonly epoch: number;
  /** Events up to `firstId + events.length - 1` are durable. */
  onCommitted(firstId: number, events: StreamEvent[], at: number): void;
  /** Another process holds the lease: nothing of this writer counts any more. */
  onFenced(): void;
  /** The database has been away for too long. */
  onOverflow(): void;
}

/** The write end of one reply's log. Event ids are given when a group is committed. */
export class ReplyLog {
  readonly owner: LogOwner;
  nextId: number;
  pending: StreamEvent[] = [];
  /** In the commit under way, or waiting to be tried again. */
  frozen: StreamEvent[] = [];
  fenced = false;
  heldSince: number | null = null;
  #heldChars = 0;
  #commit: GroupCommit;

  constructor(commit: GroupCommit, owner: LogOwner, nextId: number) {
    this.#commit = commit;
    this.owner = owner;
    this.nextId = nextId;
  }

  /** Adds an event. Text for the fragment that grows joins the text before it: within a group it is one event. */
  append(event: StreamEvent): void {
    if (this.fenced) return;
    const last = this.pending.at(-1);
    if (!mergeText(last, event)) this.pending.push(event);
    this.#heldChars += event.type === "delta" && typeof event.data.v === "string" ? event.data.v.length : 256;
    this.#commit.schedule(this);
  }

  /** Takes what is not yet durable, for a transaction that writes it together with the end, once no commit is under way. */
  async takeRest(): Promise<StreamEvent[]> {
    while (this.frozen.length > 0 && !this.fenced) await this.#commit.nextFlush();
    return this.#takePending();
  }

  /** Resolves when everything is durable, or after `ms`. */
  async drained(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (this.pending.length + this.frozen.length > 0 && !this.fenced && performance.now() < until) {
      this.#commit.schedule(this);
      await this.#commit.nextFlush();
    }
  }

  freeze(): StreamEvent[] {
    if (this.frozen.length === 0) this.frozen = this.#takePending();
    return this.frozen;
  }

  #takePending(): StreamEvent[] {
    const events = this.pending;
    this.pending = [];
    this.#heldChars = 0;
    return events;
  }

  committed(at: number): void {
    const events = this.frozen;
    const firstId = this.nextId;
    this.frozen = [];
    this.heldSince = null;
    this.nextId += events.length;
    this.owner.onCommitted(firstId, events, at);
  }

  fence(): void {
    if (this.fenced) return;
    this.fenced = true;
    this.pending = [];
    this.frozen = [];
    this.owner.onFenced();
  }

  overflows(now: number): boolean {
    return this.#heldChars > BUFFER_CHARS || (this.heldSince !== null && now - this.heldSince > BUFFER_MS);
  }
}

const GROWING = "response/fragments/-1/content";

function mergeText(last: StreamEvent | undefined, event: StreamEvent): boolean {
  if (last?.type !== "delta" || event.type !== "delta") return false;
  const a = last.data;
  const b = event.data;
  if (a.o !== "APPEND" || b.o !== "APPEND" || a.p !== GROWING || b.p !== GROWING) return false;
  a.v = (a.v as string) + (b.v as string);
  return true;
}

/** An APPEND to the fragment that grows. */
export function growText(text: string): { type: "delta"; data: ExplicitDelta } {
  return { type: "delta", data: { p: GROWING, o: "APPEND", v: text } };
}

export class GroupCommit {
  readonly #db: Database;
  readonly #owner: string;
  readonly #flushMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #dirty = new Set<ReplyLog>();
  #timer: (() => void) | null = null;
  #lastFlush = Number.NEGATIVE_INFINITY;
  #slow = false;
  #flushing: Promise<void> | null = null;
  #uncertain = false;

  constructor(options: {
    db: Database;
    owner: string;
    flushMs: number;
    clock: Clock;
    log: Logger;
    metrics: Metrics;
  }) {
    this.#db = options.db;
    this.#owner = options.owner;
    this.#flushMs = options.flushMs;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#metrics = options.metrics;
  }

  schedule(log: ReplyLog): void {
    this.#dirty.add(log);
    if (this.#timer !== null || this.#flushing !== null) return;
    const wait = this.#lastFlush + this.#interval() - this.#clock.monotonic();
    // Not below 1 ms: what arrives in the same turn of the loop shares the commit.
    this.#timer = wait > 0 ? this.#clock.after(wait, () => this.#begin()) : soon(() => this.#begin());
  }

  /** Runs `work` while no flush is under way, so that the two never lock the same leases in different orders. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#flushing !== null) await this.#flushing;
    const running = work();
    this.#flushing = running.then(
      () => this.#ended(),
      () => this.#ended(),
    );
    return running;
  }

  /** Resolves with the end of the flush under way, or of the next one. */
  async nextFlush(): Promise<void> {
    if (this.#flushing !== null) await this.#flushing;
    else await new Promise<void>((resolve) => this.#clock.after(5, resolve));
  }

  #interval(): number {
    return this.#slow || this.#dirty.size > MANY_REPLIES
      ? Math.max(STRETCHED_FLUSH_MS, this.#flushMs)
      : this.#flushMs;
  }

  #begin(): void {
    this.#timer = null;
    if (this.#flushing !== null) return;
    this.#flushing = this.#flush().finally(() => this.#ended());
  }

  #ended(): void {
    this.#flushing = null;
    const [waiting] = this.#dirty;
    if (waiting !== undefined) this.schedule(waiting);
  }

  async #flush(): Promise<void> {
    this.#lastFlush = this.#clock.monotonic();
    const logs = [...this.#dirty];
    this.#dirty.clear();
    try {
      if (this.#uncertain) await this.#resolveUncertain(logs);
      await this.#commit(logs);
      this.#uncertain = false;
    } catch (error) {
      this.#uncertain = true;
      this.#log.warn(
        { err: error, replies: logs.length },
        "writing the stream log failed; it is tried again",
      );
      this.#putBack(logs);
      await new Promise<void>((resolve) => this.#clock.after(RETRY_MS, resolve));
    }
  }

  async #commit(logs: ReplyLog[]): Promise<void> {
    const at = this.#clock.now();
    const writing = logs.filter((log) => !log.fenced && log.freeze().length > 0);
    if (writing.length === 0) return;
    const rows = writing.map((log) => ({
      reply: log.owner.reply,
      epoch: log.owner.epoch,
      first_id: log.nextId,
      at,
      events: JSON.stringify(log.frozen),
    }));
    const started = this.#clock.monotonic();
    const appended = await this.#db.transaction(async (trx) => {
      const done = await this.#db.appendLog(trx, this.#owner, rows);
      if (this.#db.engine === "postgres") {
        for (let from = 0; from < rows.length; from += IDS_PER_NOTICE) {
          const ids = rows.slice(from, from + IDS_PER_NOTICE).map((row) => row.reply);
          await this.#db.notify(trx, LOG_CHANNEL, ids.join(","));
        }
      }
      return done;
    });
    const took = this.#clock.monotonic() - started;
    this.#slow = took > SLOW_COMMIT_MS;
    this.#metrics.observeLogCommit(took);
    for (const [index, log] of writing.entries()) {
      if (index > 0 && index % REPLIES_PER_TURN === 0) await new Promise<void>((resolve) => soon(resolve));
      if (appended.has(log.owner.reply)) log.committed(at);
      else log.fence();
      // What came while an earlier commit was tried again is not in the one that succeeded.
      if (log.pending.length > 0) this.#dirty.add(log);
    }
  }

  /** A commit whose outcome was lost may have happened: rows that stand in the log are not written again. */
  async #resolveUncertain(logs: ReplyLog[]): Promise<void> {
    const open = logs.filter((log) => log.frozen.length > 0);
    const stored = await findLogRows(
      this.#db.kysely,
      open.map((log) => ({ reply: log.owner.reply, epoch: log.owner.epoch, first_id: log.nextId })),
    );
    for (const log of open) if (stored.has(log.owner.reply)) log.committed(this.#clock.now());
  }

  #putBack(logs: ReplyLog[]): void {
    const now = this.#clock.monotonic();
    for (const log of logs) {
      if (log.fenced) continue;
      log.heldSince ??= now;
      this.#dirty.add(log);
      if (log.overflows(now)) log.owner.onOverflow();
    }
  }
}

function soon(callback: () => void): () => void {
  const immediate = setImmediate(callback);
  return () => clearImmediate(immediate);
}
