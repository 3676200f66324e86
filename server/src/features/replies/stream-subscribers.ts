// All open streams of this process: how many a user may have, their keep-alives, and who is cut because its token ended.
import { LIMITS } from "@plumb/protocol/limits";
import type { SseResponse } from "../../platform/http/sse-response.ts";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { type Periodic, periodic } from "../../platform/periodic.ts";
import { deadTokens } from "../accounts/login-token-store.ts";
import type { ReplyContext } from "./reply-context.ts";
import type { ReplyFeed } from "./reply-feed.ts";
import { type Beginning, StreamSubscriber } from "./stream-subscriber.ts";

const TICK_MS = 1000;
/** With the statement itself under the second that wire-contract.md §1.8 promises, whatever notification was missed. */
const TOKEN_CHECK_MS = 800;
/** Time a reader has to take the rest of a stream that is ended over the limits. */
const LAST_READ_MS = 1000;

export type Reader = Pick<CurrentUser, "id" | "tokenHash">;

/** One response that streams a reply. */
interface OpenStream {
  readonly reader: Reader;
  readonly reply: number;
  /** Ends the response without `close`, and cuts a reader that does not take the rest soon. */
  end(): void;
  /** Cuts the connection. */
  cut(): void;
  /** Absent where nothing is waited for. */
  readonly live?: StreamSubscriber;
}

export class StreamSubscribers {
  /** In the order of their opening. */
  readonly #open = new Set<OpenStream>();
  readonly #context: ReplyContext;
  readonly #keepAlive: Periodic;
  readonly #checkTokens: Periodic;
  #closed = false;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#keepAlive = periodic(context, "keeping streams alive", TICK_MS, async () => this.#tick());
    this.#checkTokens = periodic(context, "checking the tokens of streams", TOKEN_CHECK_MS, () =>
      this.cutRevoked(),
    );
  }

  start(): void {
    this.#keepAlive.start();
    this.#checkTokens.start();
  }

  /** Cuts every stream: readers resume elsewhere, or here after the restart. */
  async stop(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#open) stream.cut();
    await Promise.all([this.#keepAlive.stop(), this.#checkTokens.stop()]);
  }

  /** Streams a reply to a reader from `beginning` to its close. */
  subscribe(feed: ReplyFeed, sse: SseResponse, reader: Reader, beginning: Beginning): void {
    const { db, log, ports, feeds } = this.#context;
    const live = new StreamSubscriber({ db, log, now: () => ports.clock.monotonic() }, feed, sse);
    const admitted = this.#admit(
      { reader, reply: feed.reply, live, end: () => live.endWithin(LAST_READ_MS), cut: () => live.cut() },
      sse,
    );
    sse.onClose(() => feeds.forgetIfUnused(feed.reply));
    if (admitted) live.begin(beginning);
  }

  /** Writes a stream that is known to its end. `write` resolves with it, and rejects where it must be cut. */
  replay(reply: number, sse: SseResponse, reader: Reader, write: () => Promise<void>): void {
    const admitted = this.#admit(
      { reader, reply, end: () => sse.endWithin(LAST_READ_MS), cut: () => sse.destroy() },
      sse,
    );
    if (!admitted) return;
    void write().catch((error: unknown) => {
      this.#context.log.warn({ err: error, reply }, "a reply could not be replayed; its reader is cut");
      sse.destroy();
    });
  }

  /** A token was revoked: streams opened with it end, their replies go on (wire-contract.md §1.8). Null = all of the user's. */
  cutToken(userId: string, tokenHash: string | null): void {
    for (const { reader, cut } of this.#open) {
      if (reader.id === userId && (tokenHash === null || reader.tokenHash === tokenHash)) cut();
    }
  }

  /** Asks the database for the tokens of all readers: a notification that was missed costs a second. */
  async cutRevoked(): Promise<void> {
    const { db, ports } = this.#context;
    const held = new Set([...this.#open].map(({ reader }) => reader.tokenHash));
    if (held.size === 0) return;
    const dead = await deadTokens(db.kysely, [...held], ports.clock.now());
    for (const { reader, cut } of this.#open) if (dead.has(reader.tokenHash)) cut();
  }

  /**
   * Counts a stream in, and ends the oldest ones of the user over the limits (wire-contract.md §1.9), so that their readers may
   * resume. False once the process cuts all streams: then this one was cut, too.
   */
  #admit(stream: OpenStream, sse: SseResponse): boolean {
    this.#open.add(stream);
    sse.onClose(() => this.#open.delete(stream));
    if (this.#closed) {
      stream.cut();
      return false;
    }
    const own = [...this.#open].filter(({ reader }) => reader.id === stream.reader.id);
    const ofReply = own.filter(({ reply }) => reply === stream.reply);
    const ended = new Set([
      ...own.slice(0, Math.max(0, own.length - LIMITS.openStreams)),
      ...ofReply.slice(0, Math.max(0, ofReply.length - LIMITS.openStreamsPerReply)),
    ]);
    for (const old of ended) {
      // Its connection may take its time to close: it counts no more.
      this.#open.delete(old);
      old.end();
    }
    return true;
  }

  #tick(): void {
    const { ports, config } = this.#context;
    const now = ports.clock.monotonic();
    // The readers' watchdogs are told by the same flag (wire-contract.md §4.1).
    const every = config.flags.enableLessMaxChunkInterval ? LIMITS.keepAliveLessMs : LIMITS.keepAliveMs;
    for (const { live } of this.#open) {
      if (live !== undefined && now - live.lastWrite >= every - TICK_MS) live.keepAlive();
    }
  }
}
