// Words of a user that have gone for everybody, deleted in steps by a job: a transaction that takes them together would keep
// all others waiting on SQLite (docs/decisions/0075).
import type { Trx } from "../../platform/database/database.ts";
import type { Deps } from "../../platform/deps.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import { lockUserIfThere } from "./user-store.ts";

const ROWS_PER_STEP = 500;
/** A message may have a megabyte. */
const STEPS = { most: ROWS_PER_STEP, goodMs: 8, first: 10 };

/**
 * Deletes rows until none are left: `deleteSome` deletes at most `count` of them and returns how many it has, with the user's row
 * held, since who waited for rows that another has taken would think that none are left. What a power cut undoes is done again
 * by the job, which ends after it. Throws when `signal` is aborted.
 */
export async function deleteInStepsOfUser(
  { db, ports }: Pick<Deps, "db" | "ports">,
  { userId, signal }: { userId: string; signal: AbortSignal },
  deleteSome: (trx: Trx, count: number) => Promise<number>,
): Promise<void> {
  await inSmallSteps(ports.clock, STEPS, async (count) => {
    signal.throwIfAborted();
    return db.unsyncedTransaction(async (trx) => {
      await lockUserIfThere(db, trx, userId);
      return (await deleteSome(trx, count)) === count;
    });
  });
}
