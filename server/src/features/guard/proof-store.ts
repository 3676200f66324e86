// What proof of work remembers: guest challenges until they are used, answers of users until they expire.
import type { Insertable, Selectable } from "kysely";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";
import type { GuestChallengesTable } from "../../platform/database/schema.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";

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

const insertProof = preparedQuery<{ signature: string; expires_at: number }, { signature: string }>(
  (q, value) =>
    q
      .insertInto("used_proofs")
      .values({ signature: value("signature"), expires_at: value("expires_at") })
      .onConflict((conflict) => conflict.column("signature").doNothing())
      .returning("signature"),
);

/** Enters an answer in the replay set; false when it is there already. */
export async function spendProof(q: Queryable, signature: string, expiresAtMs: number): Promise<boolean> {
  return (await insertProof(q, { signature, expires_at: expiresAtMs })).length > 0;
}

/** Removes what has expired: challenges, answers and ended counters. */
export async function deleteExpiredGuardRows(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "guest_challenges", nowMs);
  await deleteExpired(db, "used_proofs", nowMs);
  await deleteExpired(db, "rate_counters", nowMs);
}
