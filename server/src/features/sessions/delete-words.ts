// A large session is gone for everybody at once, and its words in steps after that: on SQLite all others would wait for a
// transaction that takes them together. It is a job: what was begun is finished, whichever process dies meanwhile.
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import { hasJob, insertJob, subjectsOf } from "../../platform/jobs/job-store.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { deleteInStepsOfUser } from "../accounts/in-steps-of-user.ts";
import { lockUserIfThere } from "../accounts/user-store.ts";
import { removeTexts, TITLE } from "./history-index-store.ts";
import { deleteFirstMessages, deleteMessagesOfSessions, sizeUpTo } from "./message-store.ts";

/** The subject of such a job ends in the id of the session, which is marked as deleted. */
export const WORDS_JOB = "session-words";

/** What goes together with its session: some ten milliseconds. */
const AT_ONCE = { messages: 500, bytes: 2 * 1024 * 1024 };

type WordsDeps = Pick<Deps, "db" | "ports">;
interface Owned {
  userId: string;
  sessionId: string;
}

const subjectOf = (sessionId: string): string => `${WORDS_JOB}.${sessionId}`;
const sessionOf = (subject: string): string => subject.slice(WORDS_JOB.length + 1);

/**
 * Deletes the words of sessions that are marked as deleted in the same transaction: of small ones now, of others later, by the
 * job. Returns whether some are left to it. Holds the user's row.
 */
export async function deleteWords(
  db: Database,
  trx: Trx,
  userId: string,
  sessionIds: readonly string[],
): Promise<boolean> {
  await lockUserIfThere(db, trx, userId);
  const [now, later]: [string[], string[]] = [[], []];
  const left = { ...AT_ONCE };
  for (const sessionId of sessionIds) {
    const size = await sizeUpTo(trx, sessionId, left);
    if (size === "larger") later.push(sessionId);
    else {
      now.push(sessionId);
      left.messages -= size.messages;
      left.bytes -= size.bytes;
    }
  }
  if (now.length > 0) {
    await deleteMessagesOfSessions(trx, now);
    await removeTexts(db, trx, { sessionIds: now });
  }
  for (const sessionId of later) {
    await removeTexts(db, trx, { sessionId, messageIds: [TITLE] });
    await insertJob(db, trx, { subject: subjectOf(sessionId), kind: WORDS_JOB, user_id: userId });
  }
  return later.length > 0;
}

/** Does such a job from wherever it has got to. */
export async function runDeletionOfWords(deps: WordsDeps, job: HeldJob): Promise<void> {
  const { subject, user_id: userId } = job.row;
  await deleteInSteps(deps, { userId, sessionId: sessionOf(subject) }, job.signal);
  await deps.db.transaction((trx) => job.finish(trx));
}

/** Does what is left to jobs of the user, whoever has them: they find nothing then. */
export async function deleteWordsLeftOf(deps: WordsDeps, userId: string, signal: AbortSignal): Promise<void> {
  for (const subject of await subjectsOf(deps.db.kysely, WORDS_JOB, userId))
    await deleteInSteps(deps, { userId, sessionId: sessionOf(subject) }, signal);
}

/** Whether words of a deleted session are still to be deleted by a job. */
export const isLeftToJob = (q: Queryable, sessionId: string): Promise<boolean> =>
  hasJob(q, subjectOf(sessionId));

function deleteInSteps(deps: WordsDeps, { userId, sessionId }: Owned, signal: AbortSignal): Promise<void> {
  return deleteInStepsOfUser(deps, { userId, signal }, async (trx, count) => {
    const messageIds = await deleteFirstMessages(trx, sessionId, count);
    await removeTexts(deps.db, trx, { sessionId, messageIds });
    return messageIds.length;
  });
}
