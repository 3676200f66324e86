// Reads stored data for the checker (check-invariants.ts). It may be in any state.
import type { Database, Queryable, Trx } from "../platform/database/database.ts";
import { sql } from "kysely";
import { isLeftToJob } from "../features/sessions/delete-words.ts";
import { listMessageHeads, loadMessages } from "../features/sessions/message-store.ts";
import { subjectOfWords } from "../features/sharing/delete-share-words.ts";
import { LIVE } from "../features/sharing/share-state.ts";
import type { StoredReply } from "./check-log.ts";
import type { StoredSession } from "./check-tree.ts";

const SESSIONS_PER_READ = 100;

/** Ids after `after` in their order, at most a hundred; with `among` only those. */
export async function pageOfSessionIds(
  q: Queryable,
  after: string,
  among: readonly string[] | undefined,
): Promise<string[]> {
  let query = q.selectFrom("sessions").select("id").where("id", ">", after);
  if (among !== undefined) query = query.where("id", "in", [...among, ""]);
  const rows = await query.orderBy("id").limit(SESSIONS_PER_READ).execute();
  return rows.map((row) => row.id);
}

/** The session, locked until the end of `trx`: settlement, deletion and new turns lock it too. */
export async function lockStoredSession(
  db: Database,
  trx: Trx,
  id: string,
): Promise<StoredSession | undefined> {
  const session = await trx
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", id)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
  if (session === undefined) return undefined;
  // Words of a large one go in steps after it.
  const isLeft = session.deleted_at !== null && (await isLeftToJob(trx, id));
  const messages = isLeft ? [] : await listMessageHeads(trx, id);
  const replies = await trx.selectFrom("replies").selectAll().where("session_id", "=", id).execute();
  return { session, messages, replies };
}

/** A reply of the session with its messages, lease and log. */
export async function loadStoredReply(
  trx: Trx,
  sessionId: string,
  reply: StoredReply["reply"],
): Promise<StoredReply> {
  const lease = await trx
    .selectFrom("reply_lease")
    .selectAll()
    .where("reply", "=", reply.id)
    .executeTakeFirst();
  const rows = await trx
    .selectFrom("stream_log")
    .select(["epoch", "first_id", "events"])
    .where("reply", "=", reply.id)
    .orderBy("first_id")
    .orderBy("id")
    .execute();
  const [message] = await loadMessages(trx, sessionId, [reply.message_id]);
  const [request] = await loadMessages(trx, sessionId, [reply.request_message_id]);
  return { reply, message, request, lease, rows };
}

/**
 * What belongs to something that is gone: session ids of messages, reply ids of log rows and of leases, ids of shares that
 * have ended and whose words no job deletes. A session that is being copied is not there yet.
 */
export async function findStrays(
  q: Queryable,
): Promise<{ messages: string[]; logs: number[]; leases: number[]; shares: string[] }> {
  const messages = await q
    .selectFrom("messages")
    .leftJoin("sessions", "sessions.id", "messages.session_id")
    .leftJoin("session_copies", "session_copies.session_id", "messages.session_id")
    .select("messages.session_id as id")
    .distinct()
    .where("sessions.id", "is", null)
    .where("session_copies.session_id", "is", null)
    .execute();
  const logs = await q
    .selectFrom("stream_log")
    .leftJoin("replies", "replies.id", "stream_log.reply")
    .select("stream_log.reply as id")
    .distinct()
    .where("replies.id", "is", null)
    .execute();
  const leases = await q
    .selectFrom("reply_lease")
    .leftJoin("replies", "replies.id", "reply_lease.reply")
    .select("reply_lease.reply as id")
    .where("replies.id", "is", null)
    .execute();
  const shares = await q
    .selectFrom("share_messages")
    .leftJoin("shares", (join) =>
      join.onRef("shares.id", "=", "share_messages.share_id").on("shares.state", "in", LIVE),
    )
    .leftJoin("jobs", (join) =>
      join.on(sql<boolean>`jobs.subject = ${subjectOfWords("")} || share_messages.share_id`),
    )
    .select("share_messages.share_id as id")
    .distinct()
    .where("shares.id", "is", null)
    .where("jobs.subject", "is", null)
    .execute();
  return {
    messages: messages.map(({ id }) => id),
    shares: shares.map(({ id }) => id),
    logs: logs.map(({ id }) => id),
    leases: leases.map(({ id }) => id),
  };
}

/** Leases that are not handed over, with the milliseconds since their owner last renewed them. */
export async function listLeaseSilences(
  db: Database,
): Promise<{ reply: number; owner: string; silentMs: number }[]> {
  const leases = await db.kysely
    .selectFrom("reply_lease")
    .select(["reply", "owner"])
    .select(({ eb }) => eb(db.nowMs, "-", eb.ref("renewed_at")).as("silent"))
    .where("renewed_at", ">", 0)
    .execute();
  return leases.map(({ reply, owner, silent }) => ({ reply, owner, silentMs: Number(silent) }));
}
