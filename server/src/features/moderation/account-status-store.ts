// The moderation columns of accounts as rows.
import type { Queryable } from "../../platform/database/database.ts";

/** SQLite parses a statement on the event loop: a longer list is split. */
const USERS_PER_STATEMENT = 500;

/** Those of the users that are banned. Unknown ids are not. */
export async function bannedAmong(q: Queryable, userIds: Iterable<string>): Promise<Set<string>> {
  const asked = [...new Set(userIds)];
  const banned = new Set<string>();
  for (let from = 0; from < asked.length; from += USERS_PER_STATEMENT) {
    const rows = await q
      .selectFrom("users")
      .select("id")
      .where("id", "in", asked.slice(from, from + USERS_PER_STATEMENT))
      .where("banned_at", "is not", null)
      .execute();
    for (const { id } of rows) banned.add(id);
  }
  return banned;
}

/** Mutes the account (ms), or lets it write again (null). */
export async function setMutedUntil(q: Queryable, userId: string, untilMs: number | null): Promise<void> {
  await q.updateTable("users").set({ muted_until: untilMs }).where("id", "=", userId).execute();
}

/** Puts the account under review, or ends that. */
export async function setUnderReview(q: Queryable, userId: string, isReviewed: boolean): Promise<void> {
  await q
    .updateTable("users")
    .set({ under_review: isReviewed ? 1 : 0 })
    .where("id", "=", userId)
    .execute();
}

/** Forgets the answer to the age gate, so that the next one is kept. */
export async function forgetBirthday(q: Queryable, userId: string): Promise<void> {
  await q
    .updateTable("users")
    .set({ birth_year: null, birth_month: null })
    .where("id", "=", userId)
    .execute();
}

/** Bans the account (`atMs`) or lifts its ban (null). False when no account has the id. */
export async function setBannedAt(q: Queryable, userId: string, atMs: number | null): Promise<boolean> {
  const { numUpdatedRows } = await q
    .updateTable("users")
    .set({ banned_at: atMs })
    .where("id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
