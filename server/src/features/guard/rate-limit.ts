// The rate classes of wire-contract.md §1.9.
//
// Where a limit is a promise (codes, sign-in, messages) it is counted in the database: it must hold over all replicas and
// after a crash. The classes public, guest and api only keep load off this process, so each process counts them in memory:
// no write per request, and n replicas serve n times as much. share, upload, export and delete answer by numbers of
// their own calls and are counted by their features with `countHit`.
import { Global, type GlobalCode } from "@plumb/protocol/wire/global-codes";
import type { Config } from "../../config.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { countHit, type CounterLimit, uncountHit } from "./counter-store.ts";
import { MemoryCounter } from "./memory-counter.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Names of RATE_LIMITS with their defaults and windows. */
const NAMED = {
  code_target_day: { limit: 10, windowMs: 24 * HOUR },
  code_ip_hour: { limit: 30, windowMs: HOUR },
  guest_ip_minute: { limit: 30, windowMs: MINUTE },
  login_ip_minute: { limit: 30, windowMs: MINUTE },
  public_ip_minute: { limit: 120, windowMs: MINUTE },
  share_content_ip_minute: { limit: 60, windowMs: MINUTE },
  api_user_minute: { limit: 300, windowMs: MINUTE },
  upload_user_hour: { limit: 60, windowMs: HOUR },
  share_user_hour: { limit: 20, windowMs: HOUR },
} as const satisfies Record<string, CounterLimit>;

type RateName = keyof typeof NAMED;

/** A limit that RATE_LIMITS has no name for. */
const CODE_PAUSE: CounterLimit = { limit: 1, windowMs: MINUTE };

export class RateLimits {
  #config: Pick<Config, "rateLimits" | "messagesPerMinute">;
  #db: Database;
  #clock: Clock;
  #memory = new MemoryCounter();

  constructor(deps: {
    config: Pick<Config, "rateLimits" | "messagesPerMinute">;
    db: Database;
    ports: { clock: Clock };
  }) {
    this.#config = deps.config;
    this.#db = deps.db;
    this.#clock = deps.ports.clock;
  }

  /** The limit of a name, overrides applied; null when rate classes are off. */
  #limitOf(name: RateName): CounterLimit | null {
    const { rateLimits } = this.#config;
    if (rateLimits === "off") return null;
    return { limit: rateLimits[name] ?? NAMED[name].limit, windowMs: NAMED[name].windowMs };
  }

  /** Counts in this process; throws `code` with Retry-After beyond the limit. */
  requireInMemory(name: RateName, subject: string, code: GlobalCode): void {
    const limit = this.#limitOf(name);
    if (limit === null) return;
    refuseAfter(this.#memory.countHit(`${name}:${subject}`, limit, this.#clock.now()), code);
  }

  /** Counts in the database; throws `code` with Retry-After beyond the limit. */
  async requireStored(name: RateName, subject: string, code: GlobalCode): Promise<void> {
    const limit = this.#limitOf(name);
    if (limit === null) return;
    refuseAfter(await countHit(this.#db.kysely, `${name}:${subject}`, limit, this.#clock.now()), code);
  }

  /** Class chat: 42900 beyond MESSAGES_PER_MINUTE. */
  async requireMessage(userId: string): Promise<void> {
    if (this.#config.rateLimits === "off") return;
    const limit = { limit: this.#config.messagesPerMinute, windowMs: MINUTE };
    const wait = await this.#db.unsynced((q) =>
      countHit(q, `chat_user_minute:${userId}`, limit, this.#clock.now()),
    );
    refuseAfter(wait, Global.RateLimitReached);
  }

  /**
   * Counts a code to be sent to `target`: one a minute and ten a day. Null when it may be sent, else the milliseconds
   * until it may. Takes the caller's transaction, so that a refused one counts nowhere.
   */
  async countCode(trx: Queryable, target: string): Promise<number | null> {
    const perDay = this.#limitOf("code_target_day");
    if (perDay === null) return null;
    const nowMs = this.#clock.now();
    const pause = await countHit(trx, `code_target_minute:${target}`, CODE_PAUSE, nowMs);
    if (pause !== null) return pause;
    const wait = await countHit(trx, `code_target_day:${target}`, perDay, nowMs);
    if (wait !== null) await uncountHit(trx, `code_target_minute:${target}`, CODE_PAUSE, nowMs);
    return wait;
  }

  /** Forgets counters of this process whose window has ended. */
  sweep(): void {
    this.#memory.sweep(this.#clock.now());
  }
}

function refuseAfter(waitMs: number | null, code: GlobalCode): void {
  if (waitMs !== null) throw new GlobalRefusal(code, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
}
