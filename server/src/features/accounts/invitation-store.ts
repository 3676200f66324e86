// Invitations: one row for each that was made and not used, and one for the first account of an installation.
import { sql } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";

/** The id of the row that stands for the first account. All other ids are hashes. */
export const FIRST = "first";

interface StoredInvitation {
  id: string;
  /** Goes into what the first invitation is derived from; null of all others. */
  salt: string | null;
  /** In lower case; null = for anybody. */
  email: string | null;
  /** Null = until the first account exists. */
  expires_at: number | null;
}

export async function insertInvitation(
  q: Queryable,
  invitation: StoredInvitation & { created_at: number },
): Promise<void> {
  await q.insertInto("invitations").values(invitation).execute();
}

/** The salt of the first invitation: the stored one, or `salt` where there was none, also under a race. */
export async function keepFirst(q: Queryable, salt: string, nowMs: number): Promise<string> {
  const row = await q
    .insertInto("invitations")
    .values({ id: FIRST, salt, email: null, created_at: nowMs, expires_at: null })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ id: sql`excluded.id` }))
    .returning("salt")
    .executeTakeFirstOrThrow();
  return row.salt ?? salt;
}

/** The invitation, locked against every other use until the transaction ends. */
export async function lockInvitation(
  db: Database,
  trx: Trx,
  id: string,
): Promise<StoredInvitation | undefined> {
  return trx
    .selectFrom("invitations")
    .select(["id", "salt", "email", "expires_at"])
    .where("id", "=", id)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
}

export async function deleteInvitation(q: Queryable, id: string): Promise<void> {
  await q.deleteFrom("invitations").where("id", "=", id).execute();
}

/** Forgets the invitations that were made for an address. */
export async function deleteInvitationsOf(q: Queryable, email: string | null): Promise<void> {
  if (email !== null) await q.deleteFrom("invitations").where("email", "=", email).execute();
}

/** Deletes those that ended before then. */
export async function deleteExpiredInvitations(q: Queryable, nowMs: number): Promise<void> {
  await q.deleteFrom("invitations").where("expires_at", "<=", nowMs).execute();
}
