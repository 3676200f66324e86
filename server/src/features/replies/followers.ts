// All readers of this process: their keep-alives, and who of them is cut because its token has ended.
import { LIMITS } from "@plumb/protocol/limits";
import type { SseResponse } from "../../platform/http/sse-response.ts";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { type Periodic, periodic } from "../../platform/periodic.ts";
import { deadTokens } from "../accounts/login-token-store.ts";
import { type Beginning, ReplyFollower } from "./follow-reply.ts";
import type { ReplyContext } from "./reply-context.ts";
import type { ReplyFeed } from "./reply-feed.ts";

const TICK_MS = 1000;
/** With the statement itself under the second that wire-contract.md §1.8 promises, whatever notification was missed. */
const TOKEN_CHECK_MS = 800;

interface Entry {
  follower: ReplyFollower;
  user: Pick<CurrentUser, "id" | "tokenHash">;
}

export class Followers {
  readonly #entries = new Set<Entry>();
  readonly #context: ReplyContext;
  readonly #keepAlive: Periodic;
  readonly #checkTokens: Periodic;
  #closed = false;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#keepAlive = periodic(context, "keeping readers alive", TICK_MS, async () => this.#tick());
    this.#checkTokens = periodic(context, "checking the tokens of readers", TOKEN_CHECK_MS, () =>
      this.cutRevoked(),
    );
  }

  start(): void {
    this.#keepAlive.start();
    this.#checkTokens.start();
  }

  /** Cuts every reader: they resume elsewhere, or here after the restart. */
  async stop(): Promise<void> {
    this.#closed = true;
    for (const entry of this.#entries) entry.follower.cut();
    await Promise.all([this.#keepAlive.stop(), this.#checkTokens.stop()]);
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

  /** A token was revoked: streams opened with it end, their replies go on (wire-contract.md §1.8). Null = all of the user's. */
  cutToken(userId: string, tokenHash: string | null): void {
    for (const { follower, user } of this.#entries) {
      if (user.id === userId && (tokenHash === null || user.tokenHash === tokenHash)) follower.cut();
    }
  }

  /** Asks the database for the tokens of all readers: a notification that was missed costs a second. */
  async cutRevoked(): Promise<void> {
    const { db, ports } = this.#context;
    const held = new Set([...this.#entries].map(({ user }) => user.tokenHash));
    if (held.size === 0) return;
    const dead = await deadTokens(db.kysely, [...held], ports.clock.now());
    for (const { follower, user } of this.#entries) if (dead.has(user.tokenHash)) follower.cut();
  }

  #tick(): void {
    const now = this.#context.ports.clock.monotonic();
    for (const { follower } of this.#entries) {
      if (now - follower.lastWrite >= LIMITS.keepAliveMs - TICK_MS) follower.keepAlive();
    }
  }
}
