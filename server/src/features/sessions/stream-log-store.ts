/**
 * The stream log: what replies said, stored before it is shown, and the leases that say who may write.
 * This file is the whole of it; every other one only calls these functions. What it promises:
 *
 * - **Acquire.** A reply that runs has one lease: owner (a process), epoch, time of its last renewal by the database's
 *   clock. `acquireLease` makes it in the transaction that stores the reply.
 * - **Renew.** `renewLeases` renews all leases of a process in one statement and returns them. One that is missing, or
 *   has another epoch, was taken by somebody else.
 * - **Claim.** A lease that was released, or not renewed for a while, may be claimed. `claimLease` is one guarded UPDATE
 *   that raises the epoch, so that of several claimers one wins.
 * - **Append, fenced.** An event has an id, from 1 without a gap; a row holds the events of one commit. `appendGroups` and
 *   `appendHeld` write only under the current owner and epoch: what a process that lost its lease still writes is refused.
 *   Readers are notified after the commit.
 * - **Read.** `readLog` gives what is committed, in order. A claim and an append never interleave: whoever has claimed
 *   reads a log to which the owner before adds nothing more.
 * - **Release.** `releaseLeases` frees all leases of a process (a planned shutdown), `deleteLease` that of a reply that
 *   has ended. The log stays until `deleteOldLogs` finds it old enough.
 *
 * Locks are taken in the order session, leases by number of the reply, log. PostgreSQL deadlocks where one writer differs.
 */
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Database, LogRow, Queryable, Trx } from "../../platform/database/database.ts";
import { LeaseTable } from "../../platform/database/lease-table.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { ReplyLeaseTable, Schema } from "../../platform/database/schema.ts";

export type Lease = Selectable<ReplyLeaseTable>;

/** The channel of notices that a log has grown: numbers of replies, separated by commas. */
export const LOG_CHANNEL = "reply_log";
/** pg_notify takes just under 8000 bytes. */
const IDS_PER_NOTICE = 400;
const leases = new LeaseTable<Lease>("reply_lease", "reply");

// ---- leases

export async function acquireLease(
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

/** The lease of a reply; undefined once the reply has closed. */
export async function findLease(q: Queryable, reply: number): Promise<Lease | undefined> {
  return q.selectFrom("reply_lease").selectAll().where("reply", "=", reply).executeTakeFirst();
}

/** Locks the lease until the transaction ends. Throws Fenced when it is not `owner`'s in this epoch. */
export async function holdLease(
  db: Database,
  trx: Trx,
  held: { reply: number; owner: string; epoch: number },
): Promise<void> {
  await leases.hold(db, trx, held);
}

/** Renews all leases of `owner` in one statement and returns them. */
export async function renewLeases(db: Database, owner: string): Promise<Lease[]> {
  return leases.renew(db, owner);
}

/** Leases that were released, or silent for `timeoutMs`; `exceptOwner` is the asking process. */
export async function lapsedLeases(
  db: Database,
  exceptOwner: string,
  timeoutMs: number,
  limit: number,
): Promise<Lease[]> {
  return leases.lapsed(db, { exceptOwner, timeoutMs, limit });
}

/** Every lease of another owner: on SQLite the process lock proves them all dead. */
export async function foreignLeases(db: Database, owner: string): Promise<Lease[]> {
  return leases.foreign(db, owner);
}

/**
 * Takes the lease as it was seen and raises the epoch; undefined when somebody was quicker. `counted`: this attempt to go on
 * with the reply is counted already.
 */
export async function claimLease(
  db: Database,
  seen: Lease,
  owner: string,
  counted: boolean,
): Promise<Lease | undefined> {
  return leases.claim(db, seen, owner, counted);
}

/** Frees every lease of `owner` in one statement, for whoever looks next. */
export async function releaseLeases(db: Database, owner: string): Promise<void> {
  await leases.release(db, owner);
}

/**
 * Asks the owner, whoever it is, to stop the reply: it reads this when it renews, and is notified besides. Only the run that
 * begins with the event `runFirstId` is asked for: a reply may have been continued since.
 */
export async function requestStop(q: Queryable, reply: number, runFirstId: number): Promise<void> {
  await q
    .updateTable("reply_lease")
    .set({ stop_requested: 1 })
    .where("reply", "=", (one) =>
      one.selectFrom("replies").select("id").where("id", "=", reply).where("run_first_id", "=", runFirstId),
    )
    .execute();
}

export async function deleteLease(q: Queryable, reply: number, epoch: number): Promise<void> {
  await q.deleteFrom("reply_lease").where("reply", "=", reply).where("epoch", "=", epoch).execute();
}

// ---- the log

/** Events of one row, numbered from its `first_id`. `at` is the wall clock of the commit in ms. */
export interface LoggedGroup {
  firstId: number;
  epoch: number;
  at: number;
  events: StreamEvent[];
}

/** Appends groups of many replies in one transaction. Returns the replies that were appended; the others are fenced. */
export async function appendGroups(
  db: Database,
  owner: string,
  rows: readonly LogRow[],
): Promise<Set<number>> {
  return db.transaction(async (trx) => {
    const appended = await db.appendLog(trx, owner, [...rows]);
    const replies = rows.map((row) => row.reply);
    await notifyReaders(db, trx, replies);
    return appended;
  });
}

const insertGroup = preparedQuery<LogRow, never>((q, value) =>
  q.insertInto("stream_log").values({
    reply: value("reply"),
    epoch: value("epoch"),
    first_id: value("first_id"),
    at: value("at"),
    events: value("events"),
  }),
);

/** Appends one group in a transaction that holds the reply's lease (see `holdLease`, `acquireLease`). */
export async function appendHeld(
  db: Database,
  trx: Trx,
  group: LoggedGroup & { reply: number },
): Promise<void> {
  const { reply, epoch, firstId, at } = group;
  const row = { reply, epoch, first_id: firstId, at, events: JSON.stringify(group.events) };
  await insertGroup(trx, row);
  await notifyReaders(db, trx, [reply]);
}

/** On SQLite nobody else reads: readers of the process itself are fed from memory. */
async function notifyReaders(db: Database, trx: Trx, replies: readonly number[]): Promise<void> {
  if (db.engine === "sqlite") return;
  for (let from = 0; from < replies.length; from += IDS_PER_NOTICE) {
    await db.notify(trx, LOG_CHANNEL, replies.slice(from, from + IDS_PER_NOTICE).join(","));
  }
}

const selectGroups = preparedQuery<{ reply: number; fromId: number; limit: number }, Omit<LogRow, "reply">>(
  (q, value) => {
    const start = q
      .selectFrom("stream_log as earlier")
      .select(({ fn, lit }) => fn.coalesce(fn.max("earlier.first_id"), lit(0)).as("first_id"))
      .where("earlier.reply", "=", value("reply"))
      .where("earlier.first_id", "<=", value("fromId"));
    return q
      .selectFrom("stream_log")
      .select(["first_id", "epoch", "at", "events"])
      .where("reply", "=", value("reply"))
      .where("first_id", ">=", start)
      .orderBy("first_id")
      .limit(value("limit"));
  },
);

/** Groups that hold any event with an id of at least `fromId`, in order, `limit` at most. The first may begin before it. */
export async function readLog(
  q: Queryable,
  reply: number,
  fromId: number,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<LoggedGroup[]> {
  const rows = await selectGroups(q, { reply, fromId, limit });
  return rows.map(groupOf);
}

function groupOf(row: Omit<LogRow, "reply">): LoggedGroup {
  return {
    firstId: row.first_id,
    epoch: row.epoch,
    at: row.at,
    events: JSON.parse(row.events) as StreamEvent[],
  };
}

/** The groups of a reply, the last one first, each read when it is asked for: what they hold may be megabytes. */
export async function* readLogBackwards(q: Queryable, reply: number): AsyncGenerator<LoggedGroup> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const row = await q
      .selectFrom("stream_log")
      .select(["first_id", "epoch", "at", "events"])
      .where("reply", "=", reply)
      .where("first_id", "<", before)
      .orderBy("first_id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return;
    before = row.first_id;
    yield groupOf(row);
  }
}

/** The events of `groups` whose id is greater than `afterId`, numbered. */
export function eventsAfter(groups: readonly LoggedGroup[], afterId: number): NumberedEvent[] {
  return groups.flatMap((group) =>
    group.events
      .map((event, index): NumberedEvent => ({ ...event, id: group.firstId + index }))
      .filter((event) => event.id > afterId),
  );
}

/** Which of these rows are stored: resolves a commit whose outcome was lost with the connection. */
export async function findLogRows(
  q: Queryable,
  rows: readonly { reply: number; epoch: number; first_id: number }[],
): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const found = await q
    .selectFrom("stream_log")
    .select("reply")
    .where((where) =>
      where.or(
        rows.map((row) =>
          where.and([
            where("reply", "=", row.reply),
            where("epoch", "=", row.epoch),
            where("first_id", "=", row.first_id),
          ]),
        ),
      ),
    )
    .execute();
  return new Set(found.map((row) => row.reply));
}

/** The last epoch of a reply as far as its log is kept; 0 without one. */
export async function lastEpoch(q: Queryable, reply: number): Promise<number> {
  const row = await q
    .selectFrom("stream_log")
    .select(({ fn }) => fn.max("epoch").as("epoch"))
    .where("reply", "=", reply)
    .executeTakeFirst();
  return Number(row?.epoch ?? 0);
}

/** Forgets the log of one reply. */
export async function deleteLog(trx: Trx, reply: number): Promise<void> {
  await trx.deleteFrom("stream_log").where("reply", "=", reply).execute();
}

/** Forgets leases and logs of the replies that `replies` selects the ids of. The leases go first: a commit under way holds them. */
export async function deleteLogs(
  db: Database,
  trx: Trx,
  replies: SelectQueryBuilder<Schema, "replies", { id: number }>,
): Promise<void> {
  const held = leases.locked(db, sql`reply in (${replies})`);
  await sql`delete from reply_lease where reply in (${held})`.execute(trx);
  await trx.deleteFrom("stream_log").where("reply", "in", replies).execute();
  await trx.deleteFrom("source_texts").where("reply", "in", replies).execute();
}
