// Deletes the whole history of a user, some sessions at a time (wire-contract.md §10.5). It is a job: what was begun is
// finished, whichever process dies meanwhile.
import { randomUUID } from "node:crypto";
import { lockUserIfThere } from "../accounts/user-store.ts";
import type { HeldJob, JobRunner } from "../../platform/jobs/job-runner.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import { deleteSessions, type DeletionDeps } from "./delete-sessions.ts";
import { deleteWordsLeftOf } from "./delete-words.ts";
import { latestInsertion, liveSessionsAfter } from "./session-store.ts";

/** The subject of such a job says up to which time (unix ms) sessions were made that it deletes. */
export const HISTORY_JOB = "history-delete";

const SESSIONS_PER_STEP = 100;
/** Each step waits for the disk once: one that is worth it takes longer than other small steps (ms). */
const STEP_MS = 20;

/**
 * Deletes every session that the user has now; those made later stay. Resolves when all are gone. When it rejects, or the
 * process dies, the rest is deleted later.
 */
export async function deleteHistory(deps: DeletionDeps & { jobs: JobRunner }, userId: string): Promise<void> {
  const { db, ports, jobs } = deps;
  // Another process's clock may be ahead of ours.
  const upTo = Math.max(ports.clock.now(), await latestInsertion(db.kysely, userId));
  await jobs.own(
    { subject: `${HISTORY_JOB}.${upTo}.${randomUUID()}`, kind: HISTORY_JOB, user_id: userId },
    async () => {},
    (job) => runDeletion(deps, job),
  );
}

/** Does such a job from wherever it has got to. */
export async function runDeletion(deps: DeletionDeps, job: HeldJob): Promise<void> {
  const { subject, user_id: userId } = job.row;
  const upTo = Number(subject.split(".")[1]);
  await deps.db.transaction(async (trx) => {
    await lockUserIfThere(deps.db, trx, userId);
    await deps.events.emit("historyDeleting", { userId, trx });
  });
  let afterSeqId = -1;
  // A session may have 32 MiB: on SQLite everybody waits while it goes.
  const limits = { most: SESSIONS_PER_STEP, goodMs: STEP_MS, first: 1 };
  await inSmallSteps(deps.ports.clock, limits, async (count) => {
    job.signal.throwIfAborted();
    const found = await liveSessionsAfter(deps.db.kysely, userId, { afterSeqId, upTo, count });
    const ids = found.map(({ id }) => id);
    await deleteSessions(deps, userId, ids);
    afterSeqId = found.at(-1)?.seq_id ?? afterSeqId;
    return found.length === count;
  });
  await deleteWordsLeftOf(deps, userId, job.signal);
  await deps.events.emit("historyWordsLeft", { userId, signal: job.signal });
  await deps.db.transaction(async (trx) => {
    // Whoever begins an export or an import holds the user first, too.
    await lockUserIfThere(deps.db, trx, userId);
    await deps.events.emit("historyDeleted", { userId, trx });
    await job.finish(trx);
  });
}
