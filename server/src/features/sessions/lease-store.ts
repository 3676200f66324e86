// Leases of running replies: who may write, and since when nobody was heard. Times are the database's own.
import { type Selectable, sql } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { ReplyLeaseTable } from "../../platform/database/schema.ts";

export type Lease = Selectable<ReplyLeaseTable>;

/** A lease nobody holds: set by a hand-over, claimed at once by whoever looks next. */
const NOBODY = "";

export async function insertLease(
  db: Database,
  trx: Trx,
  lease: { reply: number; userId: string; owner: string; epoch: number },
): Promise<void> {
  await trx
    .insertInto("reply_lease")
    .values({
      reply: lease.reply,
      user_id: lease.userId,
      owner: lease.owner,
      epoch: lease.epoch,
      renewed_at: db.nowMs,
      attempts: 0,
      stop_requested: 0,
    })
    .execute();
}

/** The lease of a reply, locked. Undefined once the reply has closed. */
export async function lockLease(db: Database, trx: Trx, reply: number): Promise<Lease | undefined> {
  return trx
    .selectFrom("reply_lease")
    .selectAll()
    .where("reply", "=", reply)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
}

/** Renews all leases of `owner` in one statement and returns them: one that is missing has been taken. */
export async function renewLeases(db: Database, owner: string): Promise<Lease[]> {
  return db.kysely
    .updateTable("reply_lease")
    .set({ renewed_at: db.nowMs })
    .where("owner", "=", owner)
    .returningAll()
    .execute();
}

/** Leases that were handed over, or silent for `timeoutMs`; `exceptOwner` is the asking process. */
export async function lapsedLeases(
  db: Database,
  exceptOwner: string,
  timeoutMs: number,
  limit: number,
): Promise<Lease[]> {
  return db.kysely
    .selectFrom("reply_lease")
    .selectAll()
    .where("owner", "!=", exceptOwner)
    .where((where) =>
      where.or([
        where("owner", "=", NOBODY),
        where("renewed_at", "<", sql<number>`${db.nowMs} - ${timeoutMs}`),
      ]),
    )
    .orderBy("renewed_at")
    .limit(limit)
    .execute();
}

/** Every lease of another owner: on SQLite the process lock proves them all dead. */
export async function foreignLeases(db: Database, owner: string): Promise<Lease[]> {
  return db.kysely.selectFrom("reply_lease").selectAll().where("owner", "!=", owner).execute();
}

/**
 * One guarded UPDATE: takes the lease as it was seen, raises the epoch. Of several claimers one wins; the others get
 * undefined. A claim after a death counts as an attempt, one after a hand-over does not.
 */
export async function claimLease(
  db: Database,
  q: Queryable,
  seen: Lease,
  owner: string,
): Promise<Lease | undefined> {
  return q
    .updateTable("reply_lease")
    .set({
      owner,
      epoch: seen.epoch + 1,
      renewed_at: db.nowMs,
      attempts: seen.owner === NOBODY ? seen.attempts : seen.attempts + 1,
    })
    .where("reply", "=", seen.reply)
    .where("epoch", "=", seen.epoch)
    .where("owner", "=", seen.owner)
    .where("renewed_at", "=", seen.renewed_at)
    .returningAll()
    .executeTakeFirst();
}

/** Gives a lease back without an end of the reply: a planned shutdown. */
export async function releaseLease(q: Queryable, reply: number, owner: string, epoch: number): Promise<void> {
  await q
    .updateTable("reply_lease")
    .set({ owner: NOBODY, renewed_at: 0 })
    .where("reply", "=", reply)
    .where("owner", "=", owner)
    .where("epoch", "=", epoch)
    .execute();
}

export async function requestStop(q: Queryable, reply: number): Promise<void> {
  await q.updateTable("reply_lease").set({ stop_requested: 1 }).where("reply", "=", reply).execute();
}

export async function deleteLease(q: Queryable, reply: number, epoch: number): Promise<void> {
  await q.deleteFrom("reply_lease").where("reply", "=", reply).where("epoch", "=", epoch).execute();
}
