// What of sessions is forgotten by itself: those never used, and the marks of deleted ones (wire-contract.md §10.1, §17.3).
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
