// What is forgotten by itself: sessions never used, the marks of deleted ones (wire-contract.md §10.1, §17.3), and the logs
// of replies that ended a while ago (wire-contract.md §4.2). Each statement reads a partial index that holds nothing else.
import type { Queryable } from "../../platform/database/database.ts";

/** `now` in ms; lives in seconds. */
export async function purgeSessions(
  q: Queryable,
  now: number,
  lives: { emptySessionLifeSecs: number; deletedSessionMarkSecs: number },
): Promise<void> {
  await q
    .deleteFrom("sessions")
    .where("current_message_id", "is", null)
    .where("deleted_at", "is", null)
    .where("updated_at", "<", now - lives.emptySessionLifeSecs * 1000)
    .execute();
  await q
    .deleteFrom("sessions")
    .where("deleted_at", "<", now - lives.deletedSessionMarkSecs * 1000)
    .execute();
}

/**
 * Forgets the logs of at most `limit` replies that closed before `endedBefore` (ms). True when there may be more. A reply
 * that is continued meanwhile keeps its log: every statement looks again whether it has ended, and when.
 */
export async function purgeSomeLogs(q: Queryable, endedBefore: number, limit: number): Promise<boolean> {
  const found = await q
    .selectFrom("replies")
    .select("id")
    .where("log_kept_since", "<", endedBefore)
    .where("ended_at", "is not", null)
    .orderBy("log_kept_since")
    .limit(limit)
    .execute();
  if (found.length === 0) return false;
  const ids = found.map((reply) => reply.id);
  const ended = q
    .selectFrom("replies")
    .select("id")
    .where("id", "in", ids)
    .where("log_kept_since", "<", endedBefore)
    .where("ended_at", "is not", null);
  await q.deleteFrom("stream_log").where("reply", "in", ended).execute();
  await q
    .updateTable("replies")
    .set({ log_kept_since: null })
    .where("id", "in", ids)
    .where("log_kept_since", "<", endedBefore)
    .where("ended_at", "is not", null)
    .execute();
  return found.length === limit;
}
