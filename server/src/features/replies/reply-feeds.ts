// The feeds of this process, by reply. A feed of a reply that runs elsewhere follows the log.
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { type Periodic, periodic } from "../../platform/periodic.ts";
import type { Clock } from "../../ports/clock.ts";
import { foldReply } from "../sessions/fold-reply.ts";
import { findMessage } from "../sessions/message-store.ts";
import { findReply, type ReplyRow } from "../sessions/reply-store.ts";
import { LOG_CHANNEL, readLog } from "../sessions/stream-log-store.ts";
import { ReplyFeed } from "./reply-feed.ts";

/** Notices can be missed: feeds of replies that run elsewhere also look by themselves. */
const POLL_MS = 500;

export class ReplyFeeds {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #feeds = new Map<number, ReplyFeed>();
  readonly #local = new Set<number>();
  readonly #opening = new Map<number, Promise<ReplyFeed | null>>();
  readonly #pulling = new Map<number, Promise<void>>();
  readonly #poll: Periodic;
  /** Unused at the last sweep. */
  #idle = new Set<number>();
  #unlisten: (() => void) | undefined;

  constructor(db: Database, log: Logger, clock: Clock) {
    this.#db = db;
    this.#log = log;
    this.#poll = periodic(
      { ports: { clock }, log },
      "following replies of other processes",
      POLL_MS,
      async () => {
        await Promise.all(this.#remote().map((feed) => this.pull(feed.reply)));
      },
    );
  }

  async start(): Promise<void> {
    // On SQLite nobody else writes.
    if (this.#db.engine === "sqlite") return;
    this.#unlisten = await this.#db.listen(LOG_CHANNEL, (payload) => {
      for (const text of payload.split(",")) {
        const reply = Number(text);
        if (this.#feeds.has(reply) && !this.#local.has(reply)) void this.#pullAgain(reply);
      }
    });
    this.#poll.start();
  }

  async stop(): Promise<void> {
    this.#unlisten?.();
    await this.#poll.stop();
  }

  /**
   * The feed of a reply that runs in this process from now on. Readers who followed it from elsewhere stay on, unless they
   * have not heard the end of the run before `runFirstId`: between that and this run they would miss events.
   */
  openLocal(reply: number, state: ReplyState, runFirstId: number): ReplyFeed {
    const known = this.#feeds.get(reply);
    const follows = known !== undefined && known.state.lastEventId >= runFirstId - 1;
    if (!follows) known?.vanish();
    const feed = follows ? known : new ReplyFeed(reply, state);
    this.#feeds.set(reply, feed);
    this.#local.add(reply);
    return feed;
  }

  /**
   * The feed for a reader; null when the message is gone. It holds all that was committed before the call, so that nobody
   * who has read elsewhere is shown less.
   */
  async open(reply: ReplyRow): Promise<ReplyFeed | null> {
    if (this.#feeds.has(reply.id) || this.#opening.has(reply.id)) {
      await this.#opening.get(reply.id);
      if (!this.#local.has(reply.id)) await this.#pullAgain(reply.id);
      const known = this.#feeds.get(reply.id);
      if (known !== undefined) return known;
    }
    const opening = this.#opening.get(reply.id) ?? this.#load(reply);
    this.#opening.set(reply.id, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(reply.id);
    }
  }

  /** The run has left this process without an end: from now on the log is followed. */
  makeRemote(reply: number): void {
    this.#local.delete(reply);
    this.forgetIfUnused(reply);
  }

  /** Drops a feed that neither runs here nor is read here. */
  forgetIfUnused(reply: number): void {
    const feed = this.#feeds.get(reply);
    if (feed !== undefined && feed.listeners === 0 && !this.#local.has(reply)) this.#feeds.delete(reply);
  }

  /** Drops feeds that were opened for readers who never came. */
  sweep(): void {
    const unused = [...this.#feeds.values()].filter(
      (feed) => feed.listeners === 0 && !this.#local.has(feed.reply),
    );
    for (const { reply } of unused) if (this.#idle.has(reply)) this.forgetIfUnused(reply);
    this.#idle = new Set(unused.map((feed) => feed.reply));
  }

  /** As `pull`, by a look that begins after the call. */
  async #pullAgain(reply: number): Promise<void> {
    await this.#pulling.get(reply);
    await this.pull(reply);
  }

  /** Takes what the log has and the feed has not. One look at a time per reply; never throws. */
  pull(reply: number): Promise<void> {
    const running = this.#pulling.get(reply);
    if (running !== undefined) return running;
    const pulling = this.#pullOnce(reply)
      .catch((error: unknown) =>
        this.#log.warn({ err: error, reply }, "reading the stream log failed; it is tried again"),
      )
      .finally(() => this.#pulling.delete(reply));
    this.#pulling.set(reply, pulling);
    return pulling;
  }

  async #pullOnce(reply: number): Promise<void> {
    const feed = this.#feeds.get(reply);
    if (feed === undefined) return;
    if (await this.#take(feed)) return;
    const row = await findReply(this.#db.kysely, reply);
    if (row !== undefined && row.ended_at === null) return;
    // Deleted, or given up without a close: nothing will come. What came between the two looks is taken first.
    if (!(await this.#take(feed)) && !feed.closed) feed.vanish();
  }

  /** True when the log had anything new. */
  async #take(feed: ReplyFeed): Promise<boolean> {
    const before = feed.state.lastEventId;
    const groups = await readLog(this.#db.kysely, feed.reply, before + 1);
    for (const group of groups) feed.publish(group.firstId, group.events);
    return feed.state.lastEventId > before;
  }

  async #load(reply: ReplyRow): Promise<ReplyFeed | null> {
    const row = await findMessage(this.#db.kysely, reply.session_id, reply.message_id);
    if (row === undefined) return null;
    const { state } = await foldReply(this.#db.kysely, reply, row);
    // A run may have begun here while the log was read.
    const feed = this.#feeds.get(reply.id) ?? new ReplyFeed(reply.id, state);
    this.#feeds.set(reply.id, feed);
    return feed;
  }

  #remote(): ReplyFeed[] {
    return [...this.#feeds.values()].filter((feed) => !this.#local.has(feed.reply) && !feed.closed);
  }
}
