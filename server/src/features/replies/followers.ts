// All readers of this process: their keep-alives, and who of them is cut.
import { LIMITS } from "@plumb/protocol/limits";
import type { SseResponse } from "../../platform/http/sse-response.ts";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { type Beginning, ReplyFollower } from "./follow-reply.ts";
import type { ReplyContext } from "./reply-context.ts";
import type { ReplyFeed } from "./reply-feed.ts";

const TICK_MS = 1000;

interface Entry {
  follower: ReplyFollower;
  user: Pick<CurrentUser, "id" | "tokenHash">;
}

export class Followers {
  readonly #entries = new Set<Entry>();
  readonly #context: ReplyContext;
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(context: ReplyContext) {
    this.#context = context;
  }

  start(): void {
    this.#cancel = this.#context.ports.clock.after(TICK_MS, () => {
      this.#tick();
      this.start();
    });
  }

  /** Cuts every reader: they resume elsewhere, or here after the restart. */
  stop(): void {
    this.#closed = true;
    this.#cancel?.();
    for (const entry of this.#entries) entry.follower.cut();
  }

  follow(feed: ReplyFeed, sse: SseResponse, user: Entry["user"], beginning: Beginning): void {
    const { db, log, ports, feeds } = this.#context;
    const follower = new ReplyFollower({ db, log, now: () => ports.clock.monotonic() }, feed, sse);
    const entry: Entry = { follower, user };
    this.#entries.add(entry);
    sse.onClose(() => {
      this.#entries.delete(entry);
      feeds.forgetIfUnused(feed.reply);
    });
    if (this.#closed) follower.cut();
    else follower.begin(beginning);
  }

  /** A token was revoked: streams opened with it end, their replies go on (wire.md §1.8). Null = all of the user's. */
  cutToken(userId: string, tokenHash: string | null): void {
    for (const { follower, user } of this.#entries) {
      if (user.id === userId && (tokenHash === null || user.tokenHash === tokenHash)) follower.cut();
    }
  }

  #tick(): void {
    const now = this.#context.ports.clock.monotonic();
    for (const { follower } of this.#entries) {
      if (follower.behindSince !== null && now - follower.behindSince > LIMITS.slowReaderMs) follower.cut();
      else if (now - follower.lastWrite >= LIMITS.keepAliveMs - TICK_MS) follower.keepAlive();
    }
  }
}
