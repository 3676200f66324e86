// Login tokens: issued, looked up, revoked everywhere within a second (wire-contract.md §1.8).
import { createHash, randomBytes } from "node:crypto";
import * as z from "zod/mini";
import type { EventBus } from "../../events.ts";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  deleteToken,
  deleteTokenBySignIn,
  deleteTokensOf,
  findToken,
  insertToken,
  insertTokenForPassword,
  touchToken,
  type TokenRow,
} from "./login-token-store.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";
import { endLinks, type UserRow } from "./user-store.ts";

/** The channel that carries revocations between processes. */
const CHANNEL = "tokens_revoked";
/** How long a missed notification can go unnoticed. With the query after it, less than the promised second (§1.8). */
const CACHE_MS = 800;
const CACHE_MAX = 20_000;
/** How old a last use may be that its owner is told of: somebody who is in the account now is not to look long gone. */
const TOUCH_EVERY_MS = 300_000;

const revocation = z.object({ userId: z.string(), tokenHash: z.nullable(z.string()) });
/** `tokenHash` null = all tokens of the user. */
export type Revocation = z.infer<typeof revocation>;

interface CacheEntry {
  row: TokenRow | undefined;
  /** Monotonic ms before the query was sent. */
  readAt: number;
}

/** What is stored in place of a token: SHA-256, hex. A token has 288 random bits and needs no slow hash. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Makes a token of 64 characters in the caller's transaction; `origin` is what its owner is told of the sign-in. */
export async function issueToken(
  q: Queryable,
  userId: string,
  nowMs: number,
  origin: SignInOrigin,
): Promise<string> {
  const token = newToken();
  await insertToken(q, hashToken(token), userId, nowMs, origin);
  return token;
}

/**
 * As `issueToken`, outside a transaction, where the account still has the password that was compared: that took a while. Null
 * where somebody has set another one since then, or has deleted the account: what the old one opens has ended. It does not wait
 * for the disk: a power cut may cost a person one more sign-in, but what they did meanwhile has brought it there.
 */
export async function issueTokenForPassword(
  db: Database,
  { id, password_hash }: Pick<UserRow, "id" | "password_hash">,
  nowMs: number,
  origin: SignInOrigin,
): Promise<string | null> {
  const token = newToken();
  const compared = { userId: id, passwordHash: password_hash };
  const isStored = await insertTokenForPassword(db, hashToken(token), compared, nowMs, origin);
  return isStored ? token : null;
}

function newToken(): string {
  return randomBytes(48).toString("base64url");
}

/** Notifies every process after the commit of `trx` that tokens were revoked, or that their account was banned. */
export function notifyRevoked(db: Database, trx: Queryable, event: Revocation): Promise<void> {
  return db.notify(trx, CHANNEL, JSON.stringify(event));
}

/**
 * Ends every sign-in of the account, and every link to its files and exports, in the caller's transaction. The user's row comes
 * first: whoever holds it already may do this, too.
 */
export async function endSignIns(db: Database, trx: Trx, userId: string): Promise<void> {
  await endLinks(trx, userId);
  await deleteTokensOf(trx, userId);
  await notifyRevoked(db, trx, { userId, tokenHash: null });
}

export class LoginTokens {
  #db: Database;
  #clock: Clock;
  #events: EventBus;
  #log: Logger;
  #cache = new Map<string, CacheEntry>();
  /** Raised by every revocation: the result of a look-up that began before one is not cached. */
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
      // The request does not wait for the disk: what a power cut takes of it the next use writes again.
      await this.#db.unsynced((q) => touchToken(q, tokenHash, { nowMs, readMs: row.lastUsedAt }));
    }
    // Unknown tokens are not cached here: a stranger could fill the cache with them.
    if (row !== undefined && generation === this.#generation)
      this.#keep(tokenHash, { row, readAt: monotonic });
    return row;
  }

  /** Ends one token of the user in every process. */
  async revoke(userId: string, tokenHash: string): Promise<void> {
    await this.#db.transaction(async (trx) => {
      await deleteToken(trx, tokenHash);
      await notifyRevoked(this.#db, trx, { userId, tokenHash });
    });
    this.#forget({ userId, tokenHash });
  }

  /** Ends the token of the user's sign-in in every process. False where there is none of this name. */
  async revokeSignIn(userId: string, signInId: string): Promise<boolean> {
    const tokenHash = await this.#db.transaction(async (trx) => {
      const ended = await deleteTokenBySignIn(trx, userId, signInId);
      if (ended !== undefined) await notifyRevoked(this.#db, trx, { userId, tokenHash: ended });
      return ended;
    });
    if (tokenHash !== undefined) this.#forget({ userId, tokenHash });
    return tokenHash !== undefined;
  }

  /** Ends all tokens of the user in every process, and all links to their files and exports. */
  async revokeAll(userId: string): Promise<void> {
    await this.#db.transaction((trx) => endSignIns(this.#db, trx, userId));
    this.readAnew(userId);
  }

  /**
   * Ends the token of a banned account (wire-contract.md §1.8). Its cache entry stays, so that the other requests of the
   * same page are answered with the ban, too.
   */
  async endBanned(tokenHash: string): Promise<void> {
    await deleteToken(this.#db.kysely, tokenHash);
  }

  /** The account has changed: its next request in this process sees it as it is now. */
  readAnew(userId: string): void {
    this.#forget({ userId, tokenHash: null });
  }

  /** Drops the token, or all tokens of the user, from the cache of this process. */
  #forget({ userId, tokenHash }: Revocation): void {
    this.#generation += 1;
    if (tokenHash !== null) this.#cache.delete(tokenHash);
    else for (const [hash, entry] of this.#cache) if (entry.row?.user.id === userId) this.#cache.delete(hash);
  }

  /** Listens for revocations of every process, this one included, and emits each as `tokensRevoked`. */
  async start(): Promise<void> {
    this.#unlisten = await this.#db.listen(CHANNEL, (payload) => {
      this.#onRevoked(payload).catch((error: unknown) =>
        this.#log.error({ err: error }, "a revocation could not be handled"),
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
