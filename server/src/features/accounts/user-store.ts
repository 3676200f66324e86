// Accounts as rows.
import type { Queryable } from "../../platform/database/database.ts";
import type { UserRow } from "./login-token-store.ts";

/** By e-mail (lower case) or by mobile number (11 digits). */
export async function findUser(
  q: Queryable,
  by: { email: string } | { mobile: string },
): Promise<UserRow | undefined> {
  const users = q.selectFrom("users").selectAll();
  return "email" in by
    ? users.where("email", "=", by.email).executeTakeFirst()
    : users.where("mobile", "=", by.mobile).executeTakeFirst();
}

export async function readUser(q: Queryable, id: string): Promise<UserRow | undefined> {
  return q.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

/** At most `count` accounts in the order of their ids, those after `afterId`; "" begins. */
export async function pageOfUsers(q: Queryable, afterId: string, count: number): Promise<UserRow[]> {
  return q.selectFrom("users").selectAll().where("id", ">", afterId).orderBy("id").limit(count).execute();
}

/** Adds an account; undefined when the address has one already, also under a race. */
export async function insertEmailUser(
  q: Queryable,
  user: { id: string; email: string; password_hash: string; created_at: number },
): Promise<UserRow | undefined> {
  return q
    .insertInto("users")
    .values({ ...user, last_seq_id: 0, training_allowed: 0, under_review: 0, need_birthday: 0 })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function setTrainingAllowed(q: Queryable, id: string, allowed: boolean): Promise<void> {
  await q
    .updateTable("users")
    .set({ training_allowed: allowed ? 1 : 0 })
    .where("id", "=", id)
    .execute();
}
