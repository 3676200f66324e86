// A share ends at once for everybody, and its words go with it or, where they are many, in steps after that: as those of a
// large session (docs/decisions/0075). It is a job: what was begun is finished, whichever process dies meanwhile.
import type { Database, Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import { changeJobs, subjectsOf } from "../../platform/jobs/job-store.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { deleteInStepsOfUser } from "../accounts/in-steps-of-user.ts";
import { deleteFirstShared, deleteShared, sizeOfSharedUpTo } from "./share-messages-store.ts";

/** The subject of such a job ends in the id of the share. */
export const SHARE_WORDS_JOB = "share-words";

/** What goes in the transaction that ends shares, all of them together: some five milliseconds. */
const AT_ONCE = { rows: 250, bytes: 1024 * 1024 };

type WordsDeps = Pick<Deps, "db" | "ports">;

/** Of the job that deletes the words of a share. */
export const subjectOfWords = (shareId: string): string => `${SHARE_WORDS_JOB}.${shareId}`;
const shareOf = (subject: string): string => subject.slice(SHARE_WORDS_JOB.length + 1);

/** Deletes the words of shares that end in the same transaction: of small ones now, of others later, by jobs. */
export async function deleteShareWords(
  db: Database,
  trx: Trx,
  shares: readonly { id: string; user_id: string }[],
): Promise<void> {
  const left = { ...AT_ONCE };
  const now: string[] = [];
  for (const { id } of shares) {
    const size = await sizeOfSharedUpTo(trx, id, left);
    // Those behind it are not looked at: there may be many.
    if (size === "larger") break;
    now.push(id);
    left.rows -= size.rows;
    left.bytes -= size.bytes;
  }
  await deleteShared(trx, now);
  const later = shares.slice(now.length);
  for (const userId of new Set(later.map((share) => share.user_id))) {
    const subjects = later.filter((share) => share.user_id === userId).map(({ id }) => subjectOfWords(id));
    await changeJobs(db, trx, { subjects, kind: SHARE_WORDS_JOB, userId });
  }
}

/** Does such a job from wherever it has got to. */
export async function runDeletionOfShareWords(deps: WordsDeps, job: HeldJob): Promise<void> {
  const { subject, user_id: userId } = job.row;
  await deleteInSteps(deps, { userId, shareId: shareOf(subject) }, job.signal);
  await deps.db.transaction((trx) => job.finish(trx));
}

/** Does what is left to jobs of the user, whoever has them: they find nothing then. */
export async function deleteShareWordsLeftOf(
  deps: WordsDeps,
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  for (const subject of await subjectsOf(deps.db.kysely, SHARE_WORDS_JOB, userId))
    await deleteInSteps(deps, { userId, shareId: shareOf(subject) }, signal);
}

function deleteInSteps(
  deps: WordsDeps,
  { userId, shareId }: { userId: string; shareId: string },
  signal: AbortSignal,
): Promise<void> {
  return deleteInStepsOfUser(deps, { userId, signal }, (trx, count) =>
    deleteFirstShared(trx, shareId, count),
  );
}
