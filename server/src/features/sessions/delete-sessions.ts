// Deletes sessions with everything in them: all or nothing, running replies stopped first (wire-contract.md §10.4).
import type { Deps } from "../../platform/deps.ts";
import { isSessionId, liveSessionIds } from "./session-store.ts";

/** Returns how many of the user's sessions were deleted; unknown, foreign and deleted ids do not count. */
export async function deleteSessions(
  { db, events, ports }: Pick<Deps, "db" | "events" | "ports">,
  userId: string,
  among?: string[],
): Promise<number> {
  const sessionIds = await liveSessionIds(db.kysely, userId, among?.filter(isSessionId));
  if (sessionIds.length === 0) return 0;
  await events.emit("sessionsDeleting", { userId, sessionIds });
  await db.transaction(async (trx) => {
    await trx
      .updateTable("sessions")
      .set({ deleted_at: ports.clock.now(), title: null, current_message_id: null })
      .where("id", "in", sessionIds)
      .where("user_id", "=", userId)
      .execute();
    const replies = trx.selectFrom("replies").select("id").where("session_id", "in", sessionIds);
    // The leases first: a commit of the log under way holds them, and its rows must be there to go.
    await trx.deleteFrom("reply_lease").where("reply", "in", replies).execute();
    await trx.deleteFrom("stream_log").where("reply", "in", replies).execute();
    await trx.deleteFrom("replies").where("session_id", "in", sessionIds).execute();
    await trx.deleteFrom("messages").where("session_id", "in", sessionIds).execute();
    await events.emit("sessionsDeleted", { userId, sessionIds, trx });
  });
  return sessionIds.length;
}
