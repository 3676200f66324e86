// A list of sessions is ordered by seq_id, greatest first (wire-contract.md §10.2): what was taken in finds its place in it.
import type { Queryable } from "../../platform/database/database.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { lockUser } from "../accounts/user-store.ts";
import { lockSessions, nextSeqId } from "../sessions/session-store.ts";
import { moveToFront, pageOfPlaces, type PlacedSession } from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";

const SESSIONS_PER_READ = 500;

const SESSIONS_PER_STEP = 50;

/**
 * Gives new seq_ids, in the order of their last changes, to the user's sessions that changed at `since` (unix ms) or later:
 * those before lie below all that was taken in. What changes meanwhile comes to the front by itself, and is looked at again.
 */
export async function orderSessions(
  { db }: Pick<ImportsContext, "db">,
  job: HeldJob,
  since: number,
): Promise<void> {
  const userId = job.row.user_id;
  for (let from = since; ;) {
    const sessions = await sessionsChangedSince(db.kysely, userId, from);
    if (isOrdered(sessions)) return;
    for (let at = 0; at < sessions.length; at += SESSIONS_PER_STEP) {
      await ownTurn();
      job.signal.throwIfAborted();
      const some = sessions.slice(at, at + SESSIONS_PER_STEP);
      await db.unsyncedTransaction(async (trx) => {
        // Every writer holds sessions before the user's counter.
        await lockSessions(
          db,
          trx,
          some.map(({ id }) => id),
        );
        await lockUser(db, trx, userId);
        await job.hold(trx);
        for (const session of some) await moveToFront(trx, session, await nextSeqId(trx, userId));
      });
    }
    // The last ones again: another may have changed before they were moved.
    from = sessions.at(-1)?.updated_at ?? from;
  }
}

/** The user's sessions that changed at `since` or later, in the order of their changes. */
async function sessionsChangedSince(q: Queryable, userId: string, since: number): Promise<PlacedSession[]> {
  // One that changes meanwhile is met again, further on.
  const found = new Map<string, PlacedSession>();
  for (let afterSeqId = -1; ;) {
    await ownTurn();
    const page = await pageOfPlaces(q, userId, { afterSeqId, count: SESSIONS_PER_READ });
    for (const session of page) if (session.updated_at >= since) found.set(session.id, session);
    afterSeqId = page.at(-1)?.seq_id ?? afterSeqId;
    if (page.length < SESSIONS_PER_READ) break;
  }
  return [...found.values()].sort(
    (one, other) => one.updated_at - other.updated_at || one.seq_id - other.seq_id,
  );
}

function isOrdered(sessions: readonly PlacedSession[]): boolean {
  return sessions.every(
    ({ seq_id: seqId }, index) => index === 0 || seqId > (sessions[index - 1]?.seq_id ?? 0),
  );
}
