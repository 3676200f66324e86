// Login tokens by their hash, with what the gatekeepers need of the account.
import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { LIMITS } from "@plumb/protocol/limits";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { LoginTokensTable } from "../../platform/database/schema.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";
import type { UserRow } from "./user-store.ts";

const TOKEN_LIFE_MS = LIMITS.tokenLifeSecs * 1000;
const TOKEN_MAX_LIFE_MS = LIMITS.tokenMaxLifeSecs * 1000;
const CONFIRMED_MS = LIMITS.identityConfirmedSecs * 1000;
/** SQLite parses a statement on the event loop: a longer list is split. */
const TOKENS_PER_STATEMENT = 500;
/** No sign-in is named otherwise; some other texts a database refuses with a fault. */
const SIGN_IN_ID = /^[\da-f-]{1,36}$/u;

/** A live token's account, and when the token was last used, in ms. */
export interface TokenRow {
  user: UserRow;
  lastUsedAt: number;
}

type NewToken = Selectable<LoginTokensTable>;

const newToken = (
  tokenHash: string,
  userId: string,
  nowMs: number,
  { client, region }: SignInOrigin,
): NewToken => ({
  token_hash: tokenHash,
  user_id: userId,
  sign_in_id: randomUUID(),
  client,
  region,
  created_at: nowMs,
  last_used_at: nowMs,
  confirmed_until: nowMs + CONFIRMED_MS,
});

export async function insertToken(
  q: Queryable,
  tokenHash: string,
  userId: string,
  nowMs: number,
  origin: SignInOrigin,
): Promise<void> {
  await q
    .insertInto("login_tokens")
    .values(newToken(tokenHash, userId, nowMs, origin))
    .execute();
}

/** One statement, so that nothing can come between the look and the row. */
const insertWhere = (held: Database["forUpdate"]) =>
  preparedQuery<NewToken & { password_hash: string }, { token_hash: string }>((q, value) =>
    q
      .insertInto("login_tokens")
      .columns([
        "token_hash",
        "user_id",
        "sign_in_id",
        "client",
        "region",
        "created_at",
        "last_used_at",
        "confirmed_until",
      ])
      .expression(
        q
          .selectFrom("users")
          .select([
            sql<string>`${value("token_hash")}`.as("token_hash"),
            "id",
            sql<string>`${value("sign_in_id")}`.as("sign_in_id"),
            sql<string>`${value("client")}`.as("client"),
            sql<string | null>`${value("region")}`.as("region"),
            sql<number>`cast(${value("created_at")} as bigint)`.as("created_at"),
            sql<number>`cast(${value("last_used_at")} as bigint)`.as("last_used_at"),
            sql<number>`cast(${value("confirmed_until")} as bigint)`.as("confirmed_until"),
          ])
          .where("id", "=", value("user_id"))
          .where("password_hash", "=", value("password_hash"))
          .modifyEnd(held),
      )
      .returning("token_hash"),
  );
const insertWheres = new Map<Database["engine"], ReturnType<typeof insertWhere>>();

/** As `insertToken`, without waiting for the disk, if the account has this password at that very moment; else false. */
export async function insertTokenForPassword(
  db: Database,
  tokenHash: string,
  { userId, passwordHash }: { userId: string; passwordHash: string | null },
  nowMs: number,
  origin: SignInOrigin,
): Promise<boolean> {
  if (passwordHash === null) return false;
  const insert = insertWheres.get(db.engine) ?? insertWhere(db.forUpdate);
  insertWheres.set(db.engine, insert);
  const row = { ...newToken(tokenHash, userId, nowMs, origin), password_hash: passwordHash };
  return (await db.unsynced((q) => insert(q, row))).length > 0;
}

const selectToken = preparedQuery<
  { token_hash: string; used_after: number; made_after: number },
  UserRow & { last_used_at: number }
>((q, value) =>
  q
    .selectFrom("login_tokens")
    .innerJoin("users", "users.id", "login_tokens.user_id")
    .selectAll("users")
    .select("login_tokens.last_used_at")
    .where("login_tokens.token_hash", "=", value("token_hash"))
    .where("login_tokens.last_used_at", ">", value("used_after"))
    .where("login_tokens.created_at", ">", value("made_after")),
);

/** Undefined when the token is unknown, revoked, unused for 30 days, or 90 days old. */
export async function findToken(
  q: Queryable,
  tokenHash: string,
  nowMs: number,
): Promise<TokenRow | undefined> {
  const [row] = await selectToken(q, {
    token_hash: tokenHash,
    used_after: nowMs - TOKEN_LIFE_MS,
    made_after: nowMs - TOKEN_MAX_LIFE_MS,
  });
  if (row === undefined) return undefined;
  const { last_used_at, ...user } = row;
  return { user, lastUsedAt: last_used_at };
}

/** Those of the tokens that are no longer accepted: revoked, unused for 30 days, 90 days old, or of a banned account. */
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
      .where("login_tokens.created_at", ">", nowMs - TOKEN_MAX_LIFE_MS)
      .where("users.banned_at", "is", null)
      .execute();
    for (const { token_hash } of live) dead.delete(token_hash);
  }
  return dead;
}

/** Writes that the token is used now. Of the requests that a page sends at once, which all read `readMs`, one writes. */
export async function touchToken(
  q: Queryable,
  tokenHash: string,
  { nowMs, readMs }: { nowMs: number; readMs: number },
): Promise<void> {
  await q
    .updateTable("login_tokens")
    .set({ last_used_at: nowMs })
    .where("token_hash", "=", tokenHash)
    .where("last_used_at", "=", readMs)
    .execute();
}

/** At most `count` of the user's live tokens, the ones used last first. */
export async function listTokensOf(
  q: Queryable,
  userId: string,
  { nowMs, count }: { nowMs: number; count: number },
): Promise<Selectable<LoginTokensTable>[]> {
  return q
    .selectFrom("login_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("last_used_at", ">", nowMs - TOKEN_LIFE_MS)
    .where("created_at", ">", nowMs - TOKEN_MAX_LIFE_MS)
    .orderBy("last_used_at", "desc")
    .orderBy("created_at", "desc")
    .limit(count)
    .execute();
}

/** How many live tokens the user has. */
export async function countTokensOf(q: Queryable, userId: string, nowMs: number): Promise<number> {
  const row = await q
    .selectFrom("login_tokens")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("last_used_at", ">", nowMs - TOKEN_LIFE_MS)
    .where("created_at", ">", nowMs - TOKEN_MAX_LIFE_MS)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Deletes the user's token that has this name and gives back its hash; undefined where there is none. */
export async function deleteTokenBySignIn(
  q: Queryable,
  userId: string,
  signInId: string,
): Promise<string | undefined> {
  if (!SIGN_IN_ID.test(signInId)) return undefined;
  const row = await q
    .deleteFrom("login_tokens")
    .where("user_id", "=", userId)
    .where("sign_in_id", "=", signInId)
    .returning("token_hash")
    .executeTakeFirst();
  return row?.token_hash;
}

export async function deleteToken(q: Queryable, tokenHash: string): Promise<void> {
  await q.deleteFrom("login_tokens").where("token_hash", "=", tokenHash).execute();
}

export async function deleteTokensOf(q: Queryable, userId: string): Promise<void> {
  await q.deleteFrom("login_tokens").where("user_id", "=", userId).execute();
}

/** Ends all sign-ins of the user but the one of this token. */
export async function deleteOtherTokensOf(q: Queryable, userId: string, tokenHash: string): Promise<void> {
  await q
    .deleteFrom("login_tokens")
    .where("user_id", "=", userId)
    .where("token_hash", "<>", tokenHash)
    .execute();
}

/** Until when the token is confirmed, in ms; 0 where it is not, or has ended. */
export async function tokenConfirmedUntil(q: Queryable, tokenHash: string, nowMs: number): Promise<number> {
  const row = await q
    .selectFrom("login_tokens")
    .select("confirmed_until")
    .where("token_hash", "=", tokenHash)
    .where("confirmed_until", ">", nowMs)
    .executeTakeFirst();
  return row?.confirmed_until ?? 0;
}

/** Confirms the token for ten minutes, and returns until when (ms); null where it has ended meanwhile. */
export async function confirmToken(q: Queryable, tokenHash: string, nowMs: number): Promise<number | null> {
  const row = await q
    .updateTable("login_tokens")
    .set({ confirmed_until: nowMs + CONFIRMED_MS })
    .where("token_hash", "=", tokenHash)
    .returning("confirmed_until")
    .executeTakeFirst();
  return row?.confirmed_until ?? null;
}

/** Deletes the tokens that were not used for 30 days. One that is 90 days old is used no more, and goes after that. */
export async function deleteExpiredTokens(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "login_tokens", nowMs - TOKEN_LIFE_MS + 1);
}
