// The log of an ended reply is kept for a while, so that a reader who comes late still gets its end (wire.md §4.2).
import type { Queryable } from "../../platform/database/database.ts";

const ROWS_PER_PURGE = 500;

/** Forgets the logs of replies that closed before `endedBefore` (ms), some at a time. */
export async function purgeLogs(q: Queryable, endedBefore: number): Promise<void> {
  const ended = q
    .selectFrom("replies")
    .select("id")
    .where("ended_at", "<", endedBefore)
    .where((where) =>
      where.exists(
        where
          .selectFrom("stream_log")
          .select("stream_log.id")
          .whereRef("stream_log.reply", "=", "replies.id"),
      ),
    )
    .limit(ROWS_PER_PURGE);
  await q.deleteFrom("stream_log").where("reply", "in", ended).execute();
}
