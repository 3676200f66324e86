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

/**
 * The account of the address or number, its row held until the transaction ends: what lets somebody in by it cannot be taken from
 * the account meanwhile.
 */
export async function holdUserOf(
  db: Database,
  trx: Trx,
  by: { email: string } | { mobile: string },
): Promise<UserRow | undefined> {
  const seen = await findUser(trx, by);
  if (seen === undefined || !(await lockUserIfThere(db, trx, seen.id))) return undefined;
  return findUser(trx, by);
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
      email_bound_at: user.email === null ? null : user.created_at,
      mobile_bound_at: user.mobile === null ? null : user.created_at,
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
    .set((row) => ({
      email: null,
      mobile: null,
      area_code: null,
      password_hash: null,
      former_mobile: null,
      former_mobile_until: null,
      banned_at: nowMs,
      link_generation: row("link_generation", "+", 1),
    }))
    .where("id", "=", id)
    .where("banned_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteUser(q: Queryable, id: string): Promise<void> {
  await q.deleteFrom("users").where("id", "=", id).execute();
}

/** `mobile` as 11 digits. */
export async function setMobile(q: Queryable, id: string, mobile: string, nowMs: number): Promise<void> {
  await q
    .updateTable("users")
    .set({ mobile, area_code: "+86", mobile_bound_at: nowMs, mobile_proved_at: null })
    .where("id", "=", id)
    .execute();
}

/**
 * Takes the address or the phone from the account. The password stays, whatever has set it, and that is kept: the link that told
 * of the phone removes a password of a phone that is gone, too.
 */
export async function removeAddress(q: Queryable, id: string, kind: "email" | "phone"): Promise<void> {
  const gone =
    kind === "email"
      ? { email: null, email_bound_at: null, email_proved_at: null }
      : { mobile: null, area_code: null, mobile_bound_at: null, mobile_proved_at: null };
  await q.updateTable("users").set(gone).where("id", "=", id).execute();
}

/**
 * Keeps the phone that the account is about to lose, for the notice of the next one. One that is still kept stays: whoever changes
 * phones twice would else be told of their own doing.
 */
export async function keepFormerMobile(
  q: Queryable,
  { id, mobile, former_mobile_until: until }: UserRow,
  { nowMs, lifeMs }: { nowMs: number; lifeMs: number },
): Promise<void> {
  if (mobile === null || (until !== null && until > nowMs)) return;
  const kept = { former_mobile: mobile, former_mobile_until: nowMs + lifeMs };
  await q.updateTable("users").set(kept).where("id", "=", id).execute();
}

/** Forgets the phones that were kept until now. */
export async function forgetFormerMobiles(q: Queryable, nowMs: number): Promise<void> {
  await q
    .updateTable("users")
    .set({ former_mobile: null, former_mobile_until: null })
    .where("former_mobile_until", "<=", nowMs)
    .execute();
}

/** Nobody signs in by password until a reset has set one. */
export async function removePassword(q: Queryable, id: string): Promise<void> {
  await q
    .updateTable("users")
    .set({ password_hash: null, password_proved_by: null })
    .where("id", "=", id)
    .execute();
}

/** All links to the account's files and exports end. Holds the user's row until the transaction ends. */
export async function endLinks(trx: Queryable, id: string): Promise<void> {
  await trx
    .updateTable("users")
    .set((row) => ({ link_generation: row("link_generation", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** The number that the account's links must carry; null for an account that is gone or banned, which has none. */
export async function linkGenerationOf(q: Queryable, id: string): Promise<number | null> {
  const row = await q
    .selectFrom("users")
    .select("link_generation")
    .where("id", "=", id)
    .where("banned_at", "is", null)
    .executeTakeFirst();
  return row?.link_generation ?? null;
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

/** Sets a password that came by other means than a code. */
export async function setPasswordHash(q: Queryable, id: string, passwordHash: string): Promise<void> {
  await q
    .updateTable("users")
    .set({ password_hash: passwordHash, password_proved_by: null })
    .where("id", "=", id)
    .execute();
}

/** Sets the password of a reset: a code to this address or phone has proved its owner. */
export async function setProvedPassword(
  q: Queryable,
  id: string,
  { passwordHash, by }: { passwordHash: string; by: "email" | "phone" },
  nowMs: number,
): Promise<void> {
  const proved = by === "email" ? { email_proved_at: nowMs } : { mobile_proved_at: nowMs };
  await q
    .updateTable("users")
    .set({ password_hash: passwordHash, password_proved_by: by, ...proved })
    .where("id", "=", id)
    .execute();
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
