// Rows of shares. Words of a snapshot are there while its share is made, open or disabled; in other states they are nobody's,
// and soon gone.
import { LIMITS } from "@plumb/protocol/limits";
import type { Selectable } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { SharesTable } from "../../platform/database/schema.ts";
import type { Clock } from "../../ports/clock.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import { deleteShareWords } from "./delete-share-words.ts";
import { LIVE, ShareState } from "./share-state.ts";

export type ShareRow = Selectable<SharesTable>;

const SHARES_PER_STEP = 50;
/** False where the id is taken. */
export async function insertShare(q: Queryable, row: ShareRow): Promise<boolean> {
  const inserted = await q
    .insertInto("shares")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  return inserted.length === 1;
}

/** A share with the ban of its owner's account. One whose account is gone is not found. */
export async function findShare(
  q: Queryable,
  id: string,
): Promise<(ShareRow & { owner_banned_at: number | null }) | undefined> {
  return q
    .selectFrom("shares")
    .innerJoin("users", "users.id", "shares.user_id")
    .selectAll("shares")
    .select("users.banned_at as owner_banned_at")
    .where("shares.id", "=", id)
    .executeTakeFirst();
}

/** The state of a share, held against every writer of it until the transaction ends. */
export async function lockShareState(db: Database, trx: Trx, id: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom("shares")
    .select("state")
    .where("id", "=", id)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
  return row?.state;
}

/** Shares of a session that count against its limit. Exact while the session is locked. */
export async function countShares(q: Queryable, sessionId: string): Promise<number> {
  const { count } = await q
    .selectFrom("shares")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("session_id", "=", sessionId)
    .where("state", "in", LIVE)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The user's shares, newest first. `createdAtMost` in ms, inclusive. */
export async function pageOfShares(
  q: Queryable,
  userId: string,
  { createdAtMost, count }: { createdAtMost: number | null; count: number },
): Promise<ShareRow[]> {
  let query = q
    .selectFrom("shares")
    .selectAll()
    .where("user_id", "=", userId)
    .where("state", "in", [ShareState.Open, ShareState.Disabled])
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(count);
  if (createdAtMost !== null) query = query.where("created_at", "<=", createdAtMost);
  return query.execute();
}

/** Moves a share between two states that both have its words. False where it was in another one. */
export async function changeState(
  q: Queryable,
  id: string,
  { from, to, now }: { from: string; to: string; now: number },
): Promise<boolean> {
  const changed = await q
    .updateTable("shares")
    .set({ state: to, state_at: now })
    .where("id", "=", id)
    .where("state", "=", from)
    .returning("id")
    .execute();
  return changed.length === 1;
}

/** Ends the user's share by its owner's will. False where there is none. */
export async function endShare(
  db: Database,
  trx: Trx,
  { id, userId, now }: { id: string; userId: string; now: number },
): Promise<boolean> {
  const ended = await trx
    .updateTable("shares")
    .set({ state: ShareState.Deleted, state_at: now, title: null })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("state", "in", [ShareState.Open, ShareState.Disabled])
    .returning(["id", "user_id"])
    .execute();
  await deleteShareWords(db, trx, ended);
  return ended.length === 1;
}

/** The sessions are being deleted: their shares are invalid from the commit on, and nobody sees a word of them. */
export async function endSharesOfSessions(
  db: Database,
  trx: Trx,
  sessionIds: readonly string[],
  now: number,
): Promise<void> {
  const ended = await trx
    .updateTable("shares")
    .set({ state: ShareState.SessionDeleted, state_at: now, title: null })
    .where("session_id", "in", [...sessionIds])
    .where("state", "in", LIVE)
    .returning(["id", "user_id"])
    .execute();
  await deleteShareWords(db, trx, ended);
}

/** The account is being deleted: nothing tells of its shares any more. Of those that had ended, jobs have what words are left. */
export async function deleteSharesOfUser(db: Database, trx: Trx, userId: string): Promise<void> {
  const live = await trx
    .selectFrom("shares")
    .select(["id", "user_id"])
    .where("user_id", "=", userId)
    .where("state", "in", LIVE)
    .execute();
  await trx.deleteFrom("shares").where("user_id", "=", userId).execute();
  await deleteShareWords(db, trx, live);
}

/** Forgets shares with all that belongs to them. */
export async function deleteShareRows(db: Database, trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const gone = await trx
    .deleteFrom("shares")
    .where("id", "in", [...ids])
    .returning(["id", "user_id"])
    .execute();
  await deleteShareWords(db, trx, gone);
}

/**
 * Forgets the marks of ended shares that are older than LIMITS.deletedSessionMarkSecs, and what is left of shares whose
 * making began before `madeBefore` (ms) and never ended.
 */
export async function purgeShares(db: Database, clock: Clock, madeBefore: number): Promise<void> {
  const endedBefore = clock.now() - LIMITS.deletedSessionMarkSecs * 1000;
  await inSmallSteps(clock, SHARES_PER_STEP, (count) =>
    db.transaction(async (trx) => {
      const due = await trx
        .selectFrom("shares")
        .select("id")
        .where("state", "not in", [ShareState.Open, ShareState.Disabled])
        .where(({ or, and, eb }) =>
          or([
            and([eb("state", "=", ShareState.Making), eb("state_at", "<", madeBefore)]),
            and([eb("state", "<>", ShareState.Making), eb("state_at", "<", endedBefore)]),
          ]),
        )
        .orderBy("state_at")
        .limit(count)
        .modifyEnd(db.forUpdate)
        .execute();
      await deleteShareRows(
        db,
        trx,
        due.map((row) => row.id),
      );
      return due.length === count;
    }),
  );
}
