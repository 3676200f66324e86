// Accounts as rows.
import type { Selectable } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { UsersTable } from "../../platform/database/schema.ts";

export type UserRow = Selectable<UsersTable>;

/** What names one account: `email` in lower case, `mobile` as 11 digits. */
export type UserKey = { id: string } | { email: string } | { mobile: string };

const selectUser = {
  id: preparedQuery<{ id: string }, UserRow>((q, value) =>
    q.selectFrom("users").selectAll().where("id", "=", value("id")),
  ),
  email: preparedQuery<{ email: string }, UserRow>((q, value) =>
    q.selectFrom("users").selectAll().where("email", "=", value("email")),
  ),
  mobile: preparedQuery<{ mobile: string }, UserRow>((q, value) =>
    q.selectFrom("users").selectAll().where("mobile", "=", value("mobile")),
  ),
};

export async function findUser(q: Queryable, by: UserKey): Promise<UserRow | undefined> {
  const found =
    "id" in by ? selectUser.id(q, by) : "email" in by ? selectUser.email(q, by) : selectUser.mobile(q, by);
  return (await found)[0];
}

/**
 * Holds the user's row until the transaction ends: what is counted of theirs cannot change before that. All hold it after
 * sessions, leases and files, and before the day's thinking and blocks of the history's index: two that took them in other
 * orders would wait for each other. Who raises the user's seq_id holds it by that.
 */
export async function lockUser(db: Database, trx: Trx, userId: string): Promise<void> {
  if (!(await lockUserIfThere(db, trx, userId))) throw new Error(`there is no user ${userId}`);
}

/** As `lockUser`; false where the account is gone, and nothing of it can be in anybody's way. */
export async function lockUserIfThere(db: Database, trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
  return row !== undefined;
}

/** At most `count` accounts in the order of their ids, those after `afterId`; "" begins. */
export async function pageOfUsers(q: Queryable, afterId: string, count: number): Promise<UserRow[]> {
  return q.selectFrom("users").selectAll().where("id", ">", afterId).orderBy("id").limit(count).execute();
}

/** An account to be made: with an e-mail in lower case or a phone of 11 digits, and perhaps without a password. */
export interface NewUser {
  id: string;
  email: string | null;
  mobile: string | null;
  password_hash: string | null;
  created_at: number;
}

/** Adds an account; undefined when the e-mail or the phone has one already, also under a race. */
export async function insertUser(q: Queryable, user: NewUser): Promise<UserRow | undefined> {
  return q
    .insertInto("users")
    .values({
      ...user,
      area_code: user.mobile === null ? null : "+86",
      last_seq_id: 0,
      training_allowed: 0,
      under_review: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Takes from the account whatever names its owner and lets them in, and bans what is left, which stops its replies: it is
 * about to be deleted. False where there is none that could be closed.
 */
export async function closeUser(trx: Trx, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ email: null, mobile: null, area_code: null, password_hash: null, banned_at: nowMs })
    .where("id", "=", id)
    .where("banned_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteUser(q: Queryable, id: string): Promise<void> {
  await q.deleteFrom("users").where("id", "=", id).execute();
}

/** `mobile` as 11 digits. */
export async function setMobile(q: Queryable, id: string, mobile: string): Promise<void> {
  await q.updateTable("users").set({ mobile, area_code: "+86" }).where("id", "=", id).execute();
}

/** Keeps the account's first answer to the age gate. False where there was one already. */
export async function keepBirthday(
  q: Queryable,
  id: string,
  { year, month }: { year: number; month: number },
): Promise<boolean> {
  const { numUpdatedRows } = await q
    .updateTable("users")
    .set({ birth_year: year, birth_month: month })
    .where("id", "=", id)
    .where("birth_year", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isAnyUser(q: Queryable): Promise<boolean> {
  return (await q.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export async function setPasswordHash(q: Queryable, id: string, passwordHash: string): Promise<void> {
  await q.updateTable("users").set({ password_hash: passwordHash }).where("id", "=", id).execute();
}

/** As `setPasswordHash`, if the account still has the hash `before`; else false. */
export async function replacePasswordHash(
  q: Queryable,
  id: string,
  { before, after }: { before: string; after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await q
    .updateTable("users")
    .set({ password_hash: after })
    .where("id", "=", id)
    .where("password_hash", "=", before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function setTrainingAllowed(q: Queryable, id: string, allowed: boolean): Promise<void> {
  await q
    .updateTable("users")
    .set({ training_allowed: allowed ? 1 : 0 })
    .where("id", "=", id)
    .execute();
}
