// The rate classes of wire-contract.md §1.9.
//
// Where a limit is a promise (codes, sign-in, messages) it is counted in the database: it must hold over all replicas and
// after a crash. The others only keep load off this process, so each process counts them in memory: no write per request,
// and n replicas serve n times as much. share, upload, export and delete answer by numbers of
// their own calls and are counted by their features with `countHit`.
import { createHmac } from "node:crypto";
import { Global, type GlobalCode } from "@plumb/protocol/wire/global-codes";
import type { Config } from "../../config.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import type { RateClass } from "../../platform/http/route.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  countAll,
  type Counter,
  countHit,
  type CounterLimit,
  uncountHit,
  waitOfAll,
} from "./counter-store.ts";
import { MemoryCounter } from "./memory-counter.ts";
import { networkOf, siteOf } from "../../platform/network-of.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Names of RATE_LIMITS with their defaults and windows. */
const NAMED = {
  code_target_day: { limit: 20, windowMs: 24 * HOUR },
  code_requester_day: { limit: 6, windowMs: 24 * HOUR },
  code_known_day: { limit: 10, windowMs: 24 * HOUR },
  message_server_hour: { limit: 600, windowMs: HOUR },
  code_ip_hour: { limit: 30, windowMs: HOUR },
  guest_ip_minute: { limit: 30, windowMs: MINUTE },
  login_ip_minute: { limit: 30, windowMs: MINUTE },
  public_ip_minute: { limit: 120, windowMs: MINUTE },
  share_content_ip_minute: { limit: 60, windowMs: MINUTE },
  any_ip_minute: { limit: 3000, windowMs: MINUTE },
  unknown_token_ip_minute: { limit: 60, windowMs: MINUTE },
  refused_ip_hour: { limit: 20, windowMs: HOUR },
  api_user_minute: { limit: 300, windowMs: MINUTE },
  repeat_user_minute: { limit: 60, windowMs: MINUTE },
  upload_user_hour: { limit: 60, windowMs: HOUR },
  share_user_hour: { limit: 20, windowMs: HOUR },
} as const satisfies Record<string, CounterLimit>;

type RateName = keyof typeof NAMED;

/** A /48 of IPv6 addresses is one customer or many: it has so many times the limit of a single network. */
const NETWORKS_PER_SITE = 10;
/** How far over its class a user may be before requests are refused with their bodies unread. */
const FAR_OVER = 2;

/** Who asks for a code, and for whom. */
export interface CodeRequest {
  channel: "email" | "sms";
  /** The address in lower case, or the phone number. */
  target: string;
  /** Names the browser where the target's account knows it, else the network. */
  requester: string;
  /** The target's account knows the browser. */
  isKnown: boolean;
}

/** Limits that RATE_LIMITS has no name for. */
const CODE_PAUSE: CounterLimit = { limit: 1, windowMs: MINUTE };
const EXPORT_PAUSE: CounterLimit = { limit: 1, windowMs: 10 * MINUTE };
const DELETION_TRIES: CounterLimit = { limit: 3, windowMs: 24 * HOUR };
const DELETION_PAUSE: CounterLimit = { limit: 1, windowMs: 24 * HOUR };

export class RateLimits {
  #secretKey: string;
  #config: Pick<Config, "rateLimits" | "messagesPerMinute">;
  #db: Database;
  #clock: Clock;
  #memory = new MemoryCounter();

  constructor(deps: {
    config: Pick<Config, "rateLimits" | "messagesPerMinute">;
    db: Database;
    ports: { clock: Clock };
    secretKey: string;
  }) {
    this.#config = deps.config;
    this.#secretKey = deps.secretKey;
    this.#db = deps.db;
    this.#clock = deps.ports.clock;
  }

  /** The limit of a name, overrides applied; null when rate classes are off. */
  #limitOf(name: RateName): CounterLimit | null {
    const { rateLimits } = this.#config;
    if (rateLimits === "off") return null;
    return { limit: rateLimits[name] ?? NAMED[name].limit, windowMs: NAMED[name].windowMs };
  }

  /** Counts a user in this process; throws 42903 with Retry-After beyond the limit. */
  requireOfUser(name: RateName, userId: string): void {
    const limit = this.#limitOf(name);
    if (limit === null) return;
    const wait = this.#memory.countHit(`${name}:${userId}`, limit, this.#clock.now());
    refuseAfter(wait, Global.OperationTooFrequent);
  }

  /** Counts an address in this process, by its networks; throws `code` with Retry-After beyond the limit. */
  requireOfAddress(name: RateName, ip: string, code: GlobalCode): void {
    for (const { key, limit } of this.#countersOf(name, ip)) {
      refuseAfter(this.#memory.countHit(key, limit, this.#clock.now()), code);
    }
  }

  /** Whether the address has reached the limit. Counts nothing. */
  hasReached(name: RateName, ip: string): boolean {
    const nowMs = this.#clock.now();
    return this.#countersOf(name, ip).some(
      ({ key, limit }) => this.#memory.waitOf(key, limit, nowMs) !== null,
    );
  }

  /** Throws `code` with Retry-After when the address has reached the limit. Counts nothing. */
  refuseBeyond(name: RateName, ip: string, code: GlobalCode): void {
    for (const { key, limit } of this.#countersOf(name, ip)) {
      refuseAfter(this.#memory.waitOf(key, limit, this.#clock.now()), code);
    }
  }

  /** Counts an address in this process and refuses nothing. */
  countOfAddress(name: RateName, ip: string): void {
    for (const { key, limit } of this.#countersOf(name, ip)) {
      this.#memory.countHit(key, limit, this.#clock.now());
    }
  }

  /**
   * Counts an address in the database, by its networks; throws `code` with Retry-After beyond the limit. What differs in
   * `part` is counted apart.
   */
  async requireStored(name: RateName, ip: string, code: GlobalCode, part = ""): Promise<void> {
    for (const { key, limit } of this.#countersOf(name, ip)) {
      const counted = part === "" ? key : `${key}:${part}`;
      const wait = await this.#db.unsynced((q) => countHit(q, counted, limit, this.#clock.now()));
      refuseAfter(wait, code);
    }
  }

  /** The counters of an address: its own, and for IPv6 that of its /48. */
  #countersOf(name: RateName, ip: string): { key: string; limit: CounterLimit }[] {
    const limit = this.#limitOf(name);
    if (limit === null) return [];
    const own = { key: `${name}:${networkOf(ip)}`, limit };
    const site = siteOf(ip);
    if (site === null) return [own];
    return [own, { key: `${name}:${site}`, limit: { ...limit, limit: limit.limit * NETWORKS_PER_SITE } }];
  }

  /**
   * Before a body is read: 42903 for a user who is far over what all calls of the class may come to in a minute
   * (wire-contract.md §1.6). Counts in memory; what the class itself allows is counted after the schema.
   */
  refuseFarOver(rate: RateClass, userId: string): void {
    const repeat = this.#limitOf("repeat_user_minute");
    const api = this.#limitOf("api_user_minute");
    if (repeat === null || api === null) return;
    const perMinute = rate === "chat" ? this.#config.messagesPerMinute + repeat.limit : api.limit;
    const limit = { limit: FAR_OVER * perMinute, windowMs: MINUTE };
    const wait = this.#memory.countHit(`before_body_${rate}:${userId}`, limit, this.#clock.now());
    refuseAfter(wait, Global.OperationTooFrequent);
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

  /** Counts an upload of the user; false beyond the limit. */
  async countUpload(userId: string): Promise<boolean> {
    const limit = this.#limitOf("upload_user_hour");
    if (limit === null) return true;
    return (await countHit(this.#db.kysely, `upload_user_hour:${userId}`, limit, this.#clock.now())) === null;
  }

  /** Counts a share that is made or continued by the user; false beyond the limit. */
  async countShare(userId: string): Promise<boolean> {
    const limit = this.#limitOf("share_user_hour");
    if (limit === null) return true;
    return (await countHit(this.#db.kysely, `share_user_hour:${userId}`, limit, this.#clock.now())) === null;
  }

  /** Counts an export of the user; false beyond the limit. */
  async countExport(userId: string): Promise<boolean> {
    if (this.#config.rateLimits === "off") return true;
    const key = `export_user:${userId}`;
    return (await countHit(this.#db.kysely, key, EXPORT_PAUSE, this.#clock.now())) === null;
  }

  /** Counts an import of the user; false beyond the limit. */
  async countImport(userId: string): Promise<boolean> {
    if (this.#config.rateLimits === "off") return true;
    const key = `import_user:${userId}`;
    return (await countHit(this.#db.kysely, key, EXPORT_PAUSE, this.#clock.now())) === null;
  }

  /** An import that was counted at `countedAtMs` brought nothing: it does not count. */
  async uncountImport(userId: string, countedAtMs: number): Promise<void> {
    await uncountHit(this.#db.kysely, `import_user:${userId}`, EXPORT_PAUSE, countedAtMs);
  }

  /**
   * Counts a code to be sent at `nowMs`: one a minute and requester, so many a day. Browsers that the target's account knows
   * have a share of their own, which strangers cannot use up. Null when it may be sent, else the milliseconds until it may.
   * Takes the caller's transaction, so that a refused one counts nowhere.
   */
  async countCode(trx: Queryable, request: CodeRequest, nowMs: number): Promise<number | null> {
    return countAll(trx, this.#countersOfCode(request), nowMs);
  }

  /**
   * The code that was counted at `countedAtMs` was not sent. What its address (IP) has asked for stays counted: that bounds
   * what one sender makes of a mail server that is away.
   */
  async uncountCode(trx: Queryable, request: CodeRequest, countedAtMs: number): Promise<void> {
    for (const { key, limit } of this.#countersOfCode(request))
      await uncountHit(trx, key, limit, countedAtMs);
  }

  #countersOfCode({ channel, target, requester, isKnown }: CodeRequest): Counter[] {
    const perDay = this.#limitOf("code_target_day");
    const perRequester = this.#limitOf("code_requester_day");
    const perKnown = this.#limitOf("code_known_day");
    if (perDay === null || perRequester === null || perKnown === null) return [];
    const of = (text: string) => this.#hash(`code:${channel}:${text}`);
    const pause = { key: `code_pause:${of(`${target}:${requester}`)}`, limit: CODE_PAUSE };
    if (isKnown) return [pause, { key: `code_known_day:${of(target)}`, limit: perKnown }];
    return [
      pause,
      { key: `code_requester_day:${of(`${target}:${requester}`)}`, limit: perRequester },
      { key: `code_target_day:${of(target)}`, limit: perDay },
    ];
  }

  /**
   * Counts a mail or a text that leaves the server, whoever asks. Null when it may, else the milliseconds until it may. A
   * third of the hour's is kept for browsers that their target's account knows. Counts with rate classes off, too: messages
   * cost money, and a server that sends any number of them is soon trusted by nobody.
   */
  async countMessage(q: Queryable, isKnown: boolean, nowMs: number): Promise<number | null> {
    return countAll(q, this.#countersOfMessage(isKnown), nowMs);
  }

  /** As `countMessage`, and counts nothing. */
  async waitForMessage(q: Queryable, isKnown: boolean, nowMs: number): Promise<number | null> {
    return waitOfAll(q, this.#countersOfMessage(isKnown), nowMs);
  }

  /** The message that was counted at `countedAtMs` was not sent. */
  async uncountMessage(q: Queryable, isKnown: boolean, countedAtMs: number): Promise<void> {
    for (const { key, limit } of this.#countersOfMessage(isKnown))
      await uncountHit(q, key, limit, countedAtMs);
  }

  #countersOfMessage(isKnown: boolean): Counter[] {
    const all = this.#limitOf("message_server_hour") ?? NAMED.message_server_hour;
    const forStrangers = { ...all, limit: all.limit - Math.floor(all.limit / 3) };
    return [
      ...(isKnown ? [] : [{ key: "message_server_hour:strangers", limit: forStrangers }]),
      { key: "message_server_hour", limit: all },
    ];
  }

  /**
   * Counts a deletion of the account, which has these addresses and phone numbers: three tries a day, and one deletion a day
   * for whoever registers again under the same one. False beyond either limit.
   */
  async countDeletion(userId: string, targets: readonly string[]): Promise<boolean> {
    if (this.#config.rateLimits === "off") return true;
    const nowMs = this.#clock.now();
    const counted = [
      { key: `delete_user_day:${userId}`, limit: DELETION_TRIES },
      ...targets.map((target) => ({ key: this.#deletionKey(target), limit: DELETION_PAUSE })),
    ];
    for (const [index, { key, limit }] of counted.entries()) {
      if ((await countHit(this.#db.kysely, key, limit, nowMs)) === null) continue;
      await this.uncountDeletion(targets.slice(0, Math.max(0, index - 1)), nowMs);
      return false;
    }
    return true;
  }

  /** A deletion that was counted at `countedAtMs` came to nothing: it is only one of the tries. */
  async uncountDeletion(targets: readonly string[], countedAtMs: number): Promise<void> {
    if (this.#config.rateLimits === "off") return;
    for (const target of targets)
      await uncountHit(this.#db.kysely, this.#deletionKey(target), DELETION_PAUSE, countedAtMs);
  }

  /** It outlives the account by a day, so it does not tell whose address or number it was. */
  #deletionKey(target: string): string {
    return `delete_target_day:${this.#hash(`deletion:${target}`)}`;
  }

  #hash(text: string): string {
    return createHmac("sha256", this.#secretKey).update(text).digest("hex");
  }

  /** Forgets counters of this process whose window has ended. */
  sweep(): void {
    this.#memory.sweep(this.#clock.now());
  }
}

function refuseAfter(waitMs: number | null, code: GlobalCode): void {
  if (waitMs !== null) throw new GlobalRefusal(code, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
}
