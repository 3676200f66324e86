// Deletes an account with all that is its owner's (requirements 0§8; wire-contract.md §9, unregister).
import type { Deps } from "../../platform/deps.ts";
import type { HeldJob, JobRunner } from "../../platform/jobs/job-runner.ts";
import { forgetThinking } from "../guard/thinking-usage-store.ts";
import { deleteIdentitiesOf } from "./identity-store.ts";
import { deleteInvitationsOf } from "./invitation-store.ts";
import { endSignIns } from "./login-tokens.ts";
import { closeUser, deleteUser, findUser } from "./user-store.ts";
import { deleteCodesOf } from "./verification-code-store.ts";

/** The subject of such a job names the account. */
export const ACCOUNT_JOB = "account-delete";

type DeletionDeps = Pick<Deps, "db" | "events" | "ports" | "log">;

/**
 * Closes the account at once: nobody is signed in to it any more, on any replica after a second, nobody can sign in, its
 * running replies stop, its address and number are free. The rest goes after that, as a job: whatever breaks or dies
 * meanwhile, it is finished. Resolves when all is gone, or is left to that; false, with nothing done, where the account is
 * not there any more.
 */
export async function forgetAccount(deps: DeletionDeps, jobs: JobRunner, userId: string): Promise<boolean> {
  const account = { state: "open" as "open" | "gone" | "closed" };
  try {
    await jobs.own(
      { subject: `${ACCOUNT_JOB}.${userId}`, kind: ACCOUNT_JOB, user_id: userId },
      async (trx) => {
        const user = await findUser(trx, { id: userId });
        // Codes before their user, as whoever signs up with one: PostgreSQL deadlocks where one writer differs.
        if (user !== undefined) await deleteCodesOf(trx, user);
        if (user === undefined || !(await closeUser(trx, userId, deps.ports.clock.now()))) {
          account.state = "gone";
          throw new Error("the account is closed already");
        }
        await deleteIdentitiesOf(trx, userId);
        await deleteInvitationsOf(trx, user.email);
        await endSignIns(deps.db, trx, userId);
      },
      (job) => {
        account.state = "closed";
        return runForgetting(deps, job);
      },
    );
  } catch (error) {
    if (account.state === "open") throw error;
    if (account.state === "closed")
      deps.log.warn({ err: error, user: userId }, "the deletion of an account goes on later");
  }
  return account.state === "closed";
}

/**
 * Does such a job from wherever it has got to: what may be much is deleted step by step; the rest goes in one transaction,
 * with the account. Bytes of files and exports are taken by jobs that this leaves, and counters that name the account lapse
 * within a day.
 */
export async function runForgetting(deps: DeletionDeps, job: HeldJob): Promise<void> {
  const { db, events } = deps;
  const userId = job.row.user_id;
  await events.emit("accountDeleting", { userId });
  await db.transaction(async (trx) => {
    await endSignIns(db, trx, userId);
    await events.emit("accountDeleted", { userId, trx });
    await deleteUser(trx, userId);
    await forgetThinking(trx, userId);
    await job.finish(trx);
  });
}
