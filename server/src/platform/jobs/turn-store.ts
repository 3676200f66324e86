/**
 * Turns of accounts at one kind of jobs. A row says when the last job of an account began and how long its jobs ran lately;
 * it lies in the database, so that the turns hold for all processes and outlive them.
 */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/database.ts";
import { deleteExpired } from "../database/delete-expired.ts";

/** A second of use is forgotten in a minute. */
const DRAIN = sql.lit(60);
/** With less than that (ms) an account counts as one that used nothing: a few small files change nobody's place. */
const LITTLE_MS = sql.lit(2000);
/** So many times is charged what was broken off in a short place: its time was others'. */
const LONG_TIMES = 3;
/** No more is remembered (ms): half an hour later everything is forgotten. */
const MOST_MS = sql.lit(30_000);
/** By then a turn says nothing any more. */
const FORGOTTEN_AFTER_MS = 2 * 60 * 60_000;

/** What is left of `used_ms`. A clock that was set back drains it, too. */
const usedNow = (db: Database): RawBuilder<number> =>
  sql`case when used_ms > abs(${db.nowMs} - used_at) / ${DRAIN}
    then used_ms - abs(${db.nowMs} - used_at) / ${DRAIN} else 0 end`;

const ofJob = sql`from job_turns where job_turns.user_id = jobs.user_id and job_turns.kind = jobs.kind`;

/**
 * The order of jobs, for a query of `jobs`: those of accounts that used little lately, then by how much they used; between
 * equals the cheaper job, then the account whose last job began longest ago, then the job that is due for longest.
 */
export function turnOrder(db: Database): RawBuilder<unknown> {
  return sql`coalesce((select case when ${usedNow(db)} < ${LITTLE_MS} then 0 else ${usedNow(db)} end ${ofJob}), 0),
    weight, coalesce((select began_at ${ofJob}), 0), due_at, subject`;
}

/** Whether the account of a job used little lately, for a query of `jobs`. */
export function usedLittle(db: Database): RawBuilder<boolean> {
  return sql`not exists (select 1 ${ofJob} and ${usedNow(db)} >= ${LITTLE_MS})`;
}

interface Turn {
  user_id: string;
  kind: string;
}

/** A job of the account begins. A power cut may undo it. */
export async function beginTurn(db: Database, { user_id, kind }: Turn): Promise<void> {
  await db.unsynced((q) =>
    q
      .insertInto("job_turns")
      .values({ user_id, kind, began_at: db.nowMs, used_ms: 0, used_at: db.nowMs })
      .onConflict((conflict) => conflict.columns(["user_id", "kind"]).doUpdateSet({ began_at: db.nowMs }))
      .execute(),
  );
}

/** A job of the account ran for `ms`; `isLong` = it was broken off in a short place. A power cut may undo it. */
export async function chargeTurn(
  db: Database,
  { user_id, kind }: Turn,
  { ms, isLong }: { ms: number; isLong: boolean },
): Promise<void> {
  const charged = Math.max(0, Math.round(isLong ? ms * LONG_TIMES : ms));
  const used = sql<number>`${usedNow(db)} + ${sql.lit(charged)}`;
  await db.unsynced((q) =>
    q
      .updateTable("job_turns")
      .set({
        used_ms: sql<number>`case when ${used} > ${MOST_MS} then ${MOST_MS} else ${used} end`,
        used_at: db.nowMs,
      })
      .where("user_id", "=", user_id)
      .where("kind", "=", kind)
      .execute(),
  );
}

/** Deletes what says nothing any more. `now` in ms. */
export async function forgetTurns(db: Database, now: number): Promise<void> {
  await deleteExpired(db, "job_turns", now - FORGOTTEN_AFTER_MS);
}
