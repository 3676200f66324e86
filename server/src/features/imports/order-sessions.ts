// A list of sessions is ordered by seq_id, greatest first (wire-contract.md §10.2): what was taken in finds its place in it.
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { lockUser } from "../accounts/user-store.ts";
import { lockSessions, nextSeqId } from "../sessions/session-store.ts";
import { moveToFront, sessionsChangedSince } from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";

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
    await ownTurn();
    const sessions = await sessionsChangedSince(db.kysely, userId, from);
    if (isOrdered(sessions)) return;
    for (let at = 0; at < sessions.length; at += SESSIONS_PER_STEP) {
      await ownTurn();
      job.signal.throwIfAborted();
      const some = sessions.slice(at, at + SESSIONS_PER_STEP);
      await db.transaction(async (trx) => {
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

function isOrdered(sessions: readonly { seq_id: number }[]): boolean {
  return sessions.every(
    ({ seq_id: seqId }, index) => index === 0 || seqId > (sessions[index - 1]?.seq_id ?? 0),
  );
}
