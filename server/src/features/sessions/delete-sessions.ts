// Deletes sessions with everything in them: all or nothing, running replies stopped first (wire-contract.md §10.4). Words of
// large ones go a moment later (delete-words.ts).
import type { Deps } from "../../platform/deps.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";
import { deleteWords } from "./delete-words.ts";
import { deleteRepliesOfSessions } from "./reply-store.ts";
import { isSessionId, liveSessionIds, lockSessions, markDeleted } from "./session-store.ts";

export type DeletionDeps = Pick<Deps, "db" | "events" | "ports"> & { jobs: Pick<JobRunner, "wake"> };

/**
 * Returns how many of the user's sessions were deleted; unknown, foreign and deleted ids do not count. It is one transaction:
 * there must be a bound on `among`.
 */
export async function deleteSessions(
  { db, events, ports, jobs }: DeletionDeps,
  userId: string,
  among: readonly string[],
): Promise<number> {
  const sessionIds = await liveSessionIds(db.kysely, userId, among.filter(isSessionId));
  if (sessionIds.length === 0) return 0;
  await events.emit("sessionsDeleting", { userId, sessionIds });
  const isLeft = await db.transaction(async (trx) => {
    await lockSessions(db, trx, sessionIds);
    await markDeleted(trx, userId, sessionIds, ports.clock.now());
    await deleteRepliesOfSessions(db, trx, sessionIds);
    await events.emit("sessionsDeleted", { userId, sessionIds, trx });
    return deleteWords(db, trx, userId, sessionIds);
  });
  if (isLeft) jobs.wake();
  return sessionIds.length;
}
