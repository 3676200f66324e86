// What proof of work remembers: guest challenges until they are used, answers of users until they expire.
import type { Insertable, Selectable } from "kysely";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";
import type { GuestChallengesTable } from "../../platform/database/schema.ts";

/** False when the salt is taken. */
export async function insertGuestChallenge(
  q: Queryable,
  row: Insertable<GuestChallengesTable>,
): Promise<boolean> {
  const inserted = await q
    .insertInto("guest_challenges")
    .values(row)
    .onConflict((conflict) => conflict.column("salt").doNothing())
    .returning("salt")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findGuestChallenge(
  q: Queryable,
  salt: string,
): Promise<Selectable<GuestChallengesTable> | undefined> {
  return q.selectFrom("guest_challenges").selectAll().where("salt", "=", salt).executeTakeFirst();
}

/** Removes the challenge; false when another use was faster. */
export async function takeGuestChallenge(q: Queryable, salt: string): Promise<boolean> {
  const taken = await q
    .deleteFrom("guest_challenges")
    .where("salt", "=", salt)
    .returning("salt")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Enters an answer in the replay set; false when it is there already. */
export async function spendProof(q: Queryable, signature: string, expiresAtMs: number): Promise<boolean> {
  const spent = await q
    .insertInto("used_proofs")
    .values({ signature, expires_at: expiresAtMs })
    .onConflict((conflict) => conflict.column("signature").doNothing())
    .returning("signature")
    .executeTakeFirst();
  return spent !== undefined;
}

/** Removes what has expired: challenges, answers and ended counters. */
export async function deleteExpiredGuardRows(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "guest_challenges", nowMs);
  await deleteExpired(db, "used_proofs", nowMs);
  await deleteExpired(db, "rate_counters", nowMs);
}
