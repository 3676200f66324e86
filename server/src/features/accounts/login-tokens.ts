// Login tokens: issued, looked up, revoked everywhere within a second (wire-contract.md §1.8).
import { createHash, randomBytes } from "node:crypto";
import * as z from "zod/mini";
import type { EventBus } from "../../events.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  deleteToken,
  deleteTokensOf,
  findToken,
  insertToken,
  touchToken,
  type TokenRow,
} from "./login-token-store.ts";

/** Channel on which the processes tell each other of revoked tokens. */
const CHANNEL = "tokens_revoked";
/** A missed notification costs at most this, and with the query behind it stays under the promised second. */
const CACHE_MS = 800;
const CACHE_MAX = 20_000;
const TOUCH_EVERY_MS = 3_600_000;

const revocation = z.object({ userId: z.string(), tokenHash: z.nullable(z.string()) });
/** `tokenHash` null = all tokens of the user. */
export type Revocation = z.infer<typeof revocation>;

interface CacheEntry {
  row: TokenRow | undefined;
  /** Monotonic ms before the query was sent. */
  readAt: number;
}

/** Names a token without being it: SHA-256, hex. 288 random bits need no slow hash. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Makes a token of 64 characters in the caller's transaction. */
export async function issueToken(q: Queryable, userId: string, nowMs: number): Promise<string> {
  const token = randomBytes(48).toString("base64url");
  await insertToken(q, hashToken(token), userId, nowMs);
  return token;
}

/** Notifies every process after the commit of `trx` that tokens were revoked, or that their account was banned. */
export function notifyRevoked(db: Database, trx: Queryable, event: Revocation): Promise<void> {
  return db.notify(trx, CHANNEL, JSON.stringify(event));
}

export class LoginTokens {
  #db: Database;
  #clock: Clock;
  #events: EventBus;
  #log: Logger;
  #cache = new Map<string, CacheEntry>();
  /** Raised by every revocation: a look-up that began before one is not kept. */
  #generation = 0;
  #unlisten: (() => void) | null = null;

  constructor(deps: { db: Database; ports: { clock: Clock }; events: EventBus; log: Logger }) {
    this.#db = deps.db;
    this.#clock = deps.ports.clock;
    this.#events = deps.events;
    this.#log = deps.log;
  }

  /** The live token with its account, at most a second old; undefined when unknown, revoked or expired. */
  async find(tokenHash: string): Promise<TokenRow | undefined> {
    const monotonic = this.#clock.monotonic();
    const cached = this.#cache.get(tokenHash);
    if (cached !== undefined && monotonic - cached.readAt < CACHE_MS) return cached.row;

    const generation = this.#generation;
    const nowMs = this.#clock.now();
    const row = await findToken(this.#db.kysely, tokenHash, nowMs);
    if (row !== undefined && nowMs - row.lastUsedAt > TOUCH_EVERY_MS) {
      await touchToken(this.#db.kysely, tokenHash, nowMs);
    }
    // Unknown tokens are not kept: they would let a stranger push the others out.
    if (row !== undefined && generation === this.#generation)
      this.#keep(tokenHash, { row, readAt: monotonic });
    return row;
  }

  /** Ends one token, or with `tokenHash` null all of the user's, in one transaction that tells every process. */
  async revoke(userId: string, tokenHash: string | null): Promise<void> {
    const event: Revocation = { userId, tokenHash };
    await this.#db.transaction(async (trx) => {
      if (tokenHash === null) await deleteTokensOf(trx, userId);
      else await deleteToken(trx, tokenHash);
      await notifyRevoked(this.#db, trx, event);
    });
    this.#forget(event);
  }

  /**
   * Ends the token of a banned account (wire-contract.md §1.8). What is remembered stays for its second, so that the other requests
   * of the same page hear of the ban too.
   */
  async endBanned(tokenHash: string): Promise<void> {
    await deleteToken(this.#db.kysely, tokenHash);
  }

  /** Drops what this process remembers of the token, or of all tokens of the user. */
  #forget({ userId, tokenHash }: Revocation): void {
    this.#generation += 1;
    if (tokenHash !== null) this.#cache.delete(tokenHash);
    else for (const [hash, entry] of this.#cache) if (entry.row?.user.id === userId) this.#cache.delete(hash);
  }

  /** Begins to hear of revocations, those of this process included, and passes them on as `tokensRevoked`. */
  async start(): Promise<void> {
    this.#unlisten = await this.#db.listen(CHANNEL, (payload) => {
      this.#onRevoked(payload).catch((error: unknown) =>
        this.#log.error({ err: error }, "revocation not passed on"),
      );
    });
  }

  async stop(): Promise<void> {
    this.#unlisten?.();
    this.#unlisten = null;
  }

  async #onRevoked(payload: string): Promise<void> {
    const event = revocation.parse(JSON.parse(payload));
    this.#forget(event);
    await this.#events.emit("tokensRevoked", event);
  }

  #keep(tokenHash: string, entry: CacheEntry): void {
    this.#cache.delete(tokenHash);
    if (this.#cache.size >= CACHE_MAX) {
      const oldest = this.#cache.keys().next();
      if (!oldest.done) this.#cache.delete(oldest.value);
    }
    this.#cache.set(tokenHash, entry);
  }
}
