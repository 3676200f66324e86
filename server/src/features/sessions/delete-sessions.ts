// Deletes sessions with everything in them: all or nothing, running replies stopped first (wire-contract.md §10.4).
import type { Deps } from "../../platform/deps.ts";
import { deleteMessagesOfSessions } from "./message-store.ts";
import { deleteRepliesOfSessions } from "./reply-store.ts";
import { isSessionId, liveSessionIds, markDeleted } from "./session-store.ts";

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
    await markDeleted(trx, userId, sessionIds, ports.clock.now());
    await deleteRepliesOfSessions(db, trx, sessionIds);
    await deleteMessagesOfSessions(trx, sessionIds);
    await events.emit("sessionsDeleted", { userId, sessionIds, trx });
  });
  return sessionIds.length;
}
