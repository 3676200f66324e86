// Login tokens by their hash, with what the gatekeepers need of the account.
import { LIMITS } from "@plumb/protocol/limits";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { UserRow } from "./user-store.ts";

const TOKEN_LIFE_MS = LIMITS.tokenLifeSecs * 1000;
/** SQLite parses a statement on the event loop: a longer list is split. */
const TOKENS_PER_STATEMENT = 500;

/** A live token's account, and when the token was last used, in ms. */
export interface TokenRow {
  user: UserRow;
  lastUsedAt: number;
}

export async function insertToken(
  q: Queryable,
  tokenHash: string,
  userId: string,
  nowMs: number,
): Promise<void> {
  await q
    .insertInto("login_tokens")
    .values({ token_hash: tokenHash, user_id: userId, created_at: nowMs, last_used_at: nowMs })
    .execute();
}

const selectToken = preparedQuery<
  { token_hash: string; used_after: number },
  UserRow & { last_used_at: number }
>((q, value) =>
  q
    .selectFrom("login_tokens")
    .innerJoin("users", "users.id", "login_tokens.user_id")
    .selectAll("users")
    .select("login_tokens.last_used_at")
    .where("login_tokens.token_hash", "=", value("token_hash"))
    .where("login_tokens.last_used_at", ">", value("used_after")),
);

/** Undefined when the token is unknown, revoked or unused for 30 days. */
export async function findToken(
  q: Queryable,
  tokenHash: string,
  nowMs: number,
): Promise<TokenRow | undefined> {
  const [row] = await selectToken(q, { token_hash: tokenHash, used_after: nowMs - TOKEN_LIFE_MS });
  if (row === undefined) return undefined;
  const { last_used_at, ...user } = row;
  return { user, lastUsedAt: last_used_at };
}

/** Those of the tokens that are no longer accepted: revoked, unused for 30 days, or of a banned account. */
export async function deadTokens(
  q: Queryable,
  tokenHashes: readonly string[],
  nowMs: number,
): Promise<Set<string>> {
  const dead = new Set(tokenHashes);
  for (let from = 0; from < tokenHashes.length; from += TOKENS_PER_STATEMENT) {
    const live = await q
      .selectFrom("login_tokens")
      .innerJoin("users", "users.id", "login_tokens.user_id")
      .select("login_tokens.token_hash")
      .where("login_tokens.token_hash", "in", tokenHashes.slice(from, from + TOKENS_PER_STATEMENT))
      .where("login_tokens.last_used_at", ">", nowMs - TOKEN_LIFE_MS)
      .where("users.banned_at", "is", null)
      .execute();
    for (const { token_hash } of live) dead.delete(token_hash);
  }
  return dead;
}

export async function touchToken(q: Queryable, tokenHash: string, nowMs: number): Promise<void> {
  await q
    .updateTable("login_tokens")
    .set({ last_used_at: nowMs })
    .where("token_hash", "=", tokenHash)
    .execute();
}

/** The user's tokens, the one used last first. */
export async function listTokensOf(
  q: Queryable,
  userId: string,
): Promise<{ created_at: number; last_used_at: number }[]> {
  return q
    .selectFrom("login_tokens")
    .select(["created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("last_used_at", "desc")
    .execute();
}

export async function deleteToken(q: Queryable, tokenHash: string): Promise<void> {
  await q.deleteFrom("login_tokens").where("token_hash", "=", tokenHash).execute();
}

export async function deleteTokensOf(q: Queryable, userId: string): Promise<void> {
  await q.deleteFrom("login_tokens").where("user_id", "=", userId).execute();
}

/** Deletes the tokens that were not used for 30 days. */
export async function deleteExpiredTokens(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "login_tokens", nowMs - TOKEN_LIFE_MS + 1);
}
