// All writes of the stream log by running replies go through here: the first event after silence goes
// at once, then at most one commit each LOG_FLUSH_MS, all replies of the process in one statement. What a run waits for
// goes at once, too, unless there are many replies.
import { DatabaseUnavailable } from "../../platform/database/database-unavailable.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Clock } from "../../ports/clock.ts";
import { appendGroups, findLogRows } from "../sessions/stream-log-store.ts";
import type { CommitSchedule, LogAppender } from "./log-appender.ts";

/** Under load, or when a commit is slow, fewer and larger writes cost less than the delay they add. */
const STRETCHED_FLUSH_MS = 60;
const SLOW_COMMIT_MS = 5;
const MANY_REPLIES = 64;
/** Replies whose readers are served in one turn of the event loop: 300 at once would hold up everybody else for 10 ms. */
const REPLIES_PER_TURN = 32;
const RETRY_MS = 250;
/** How soon a look for the next commit is repeated while none is planned. */
const NEXT_LOOK_MS = 5;

export class GroupCommit implements CommitSchedule {
  readonly #db: Database;
  readonly #owner: string;
  readonly #flushMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #dirty = new Set<LogAppender>();
  #timer: (() => void) | null = null;
  #lastFlush = Number.NEGATIVE_INFINITY;
  #slow = false;
  /** Replies in the last commit. */
  #load = 0;
  /** Resolves when the next commit is due; null while nobody waits for it. */
  #due: { promise: Promise<void>; resolve: () => void } | null = null;
  #flushing: Promise<void> | null = null;
  /** The answer to a commit was lost: it may have happened. */
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

  now(): number {
    return this.#clock.monotonic();
  }

  schedule(appender: LogAppender, isWaitedFor = false): void {
    this.#dirty.add(appender);
    if (!isWaitedFor || this.#flushing !== null || this.#areMany()) return this.#arm();
    this.#timer?.();
    this.#begin();
  }

  /**
   * Under load, when the next commit is due: what a run takes before that costs work and comes no earlier. Null when each
   * piece is worth its own way.
   */
  pace(): Promise<void> | null {
    if (this.#load <= MANY_REPLIES) return null;
    if (this.#due === null) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      this.#due = { promise, resolve };
      this.#arm();
    }
    return this.#due.promise;
  }

  #arm(): void {
    if (this.#timer !== null || this.#flushing !== null) return;
    const wait = this.#lastFlush + this.#interval() - this.#clock.monotonic();
    // Not at once even when it is due: what arrives in the same turn of the event loop shares the commit.
    this.#timer = wait > 0 ? this.#clock.after(wait, () => this.#begin()) : soon(() => this.#begin());
  }

  /** Runs `work` while no commit is under way, so that the two never lock the same leases in different orders. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#flushing !== null) await this.#flushing;
    const running = work();
    this.#flushing = running.then(
      () => this.#ended(),
      () => this.#ended(),
    );
    return running;
  }

  async nextFlush(): Promise<void> {
    if (this.#flushing !== null) await this.#flushing;
    else await this.#wait(NEXT_LOOK_MS);
  }

  #interval(): number {
    return this.#slow || this.#areMany() ? Math.max(STRETCHED_FLUSH_MS, this.#flushMs) : this.#flushMs;
  }

  #areMany(): boolean {
    return Math.max(this.#load, this.#dirty.size) > MANY_REPLIES;
  }

  #begin(): void {
    this.#timer = null;
    if (this.#flushing !== null) return;
    this.#flushing = this.#flush().finally(() => this.#ended());
  }

  #ended(): void {
    this.#flushing = null;
    if (this.#dirty.size > 0 || this.#due !== null) this.#arm();
  }

  async #flush(): Promise<void> {
    this.#lastFlush = this.#clock.monotonic();
    if (this.#due !== null) {
      this.#due.resolve();
      this.#due = null;
      // The runs take what has come for them, so that it is in this commit.
      await new Promise<void>((resolve) => soon(resolve));
    }
    const appenders = [...this.#dirty];
    this.#dirty.clear();
    try {
      if (this.#uncertain) await this.#resolveUncertain(appenders);
      await this.#commit(appenders);
      this.#uncertain = false;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) await this.#putOff(appenders, error);
      else await this.#commitSingly(appenders);
    }
  }

  async #commit(appenders: readonly LogAppender[]): Promise<void> {
    const at = this.#clock.now();
    const writing = appenders.filter((appender) => !appender.closed && appender.freeze().length > 0);
    this.#load = writing.length;
    if (writing.length === 0) return;
    const rows = writing.map((appender) => ({
      reply: appender.reply,
      epoch: appender.epoch,
      first_id: appender.nextId,
      at,
      events: JSON.stringify(appender.frozen),
    }));
    const started = this.#clock.monotonic();
    const appended = await appendGroups(this.#db, this.#owner, rows);
    const took = this.#clock.monotonic() - started;
    this.#slow = took > SLOW_COMMIT_MS;
    this.#metrics.observeLogCommit(took);
    for (const [index, appender] of writing.entries()) {
      if (index > 0 && index % REPLIES_PER_TURN === 0) await new Promise<void>((resolve) => soon(resolve));
      if (appended.has(appender.reply)) this.#notify(appender);
      else this.#refused(appender);
      // What came while an earlier commit was retried is not in the one that succeeded.
      if (appender.waits) this.#dirty.add(appender);
    }
  }

  #refused(appender: LogAppender): void {
    const { reply, epoch } = appender;
    this.#log.warn({ reply, epoch }, "another process holds the lease of a reply: its events are refused");
    appender.fence();
  }

  /** A fault of one reply's readers must not look like a fault of the commit. */
  #notify(appender: LogAppender): void {
    try {
      appender.committed();
    } catch (error) {
      this.#giveUp(appender, error);
    }
  }

  /** A group that the database refuses fails because of one of its rows: that reply alone is given up. */
  async #commitSingly(appenders: readonly LogAppender[]): Promise<void> {
    for (const [index, appender] of appenders.entries()) {
      try {
        // What was looked for and not found may have been committed since: then that is why the same rows are refused.
        if (this.#uncertain) await this.#resolveUncertain([appender]);
        await this.#commit([appender]);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) return this.#putOff(appenders.slice(index), error);
        this.#giveUp(appender, error);
      }
    }
    this.#uncertain = false;
  }

  #giveUp(appender: LogAppender, error: unknown): void {
    this.#log.error(
      { err: error, reply: appender.reply },
      "the events of a reply cannot be stored; it is given up",
    );
    appender.fail(error);
  }

  /** A commit whose outcome was lost may have happened: rows that stand in the log are not written again. */
  async #resolveUncertain(appenders: readonly LogAppender[]): Promise<void> {
    const open = appenders.filter((appender) => appender.frozen.length > 0);
    const stored = await findLogRows(
      this.#db.kysely,
      open.map(({ reply, epoch, nextId }) => ({ reply, epoch, first_id: nextId })),
    );
    for (const appender of open) if (stored.has(appender.reply)) this.#notify(appender);
  }

  async #putOff(appenders: readonly LogAppender[], error: DatabaseUnavailable): Promise<void> {
    this.#uncertain = true;
    this.#log.warn({ err: error, replies: appenders.length }, "writing the stream log failed; it is retried");
    const now = this.#clock.monotonic();
    for (const appender of appenders) {
      if (appender.closed) continue;
      this.#dirty.add(appender);
      appender.hold(now);
    }
    await this.#wait(RETRY_MS);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve));
  }
}

function soon(callback: () => void): () => void {
  const immediate = setImmediate(callback);
  return () => clearImmediate(immediate);
}
