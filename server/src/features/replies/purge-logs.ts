// The log of an ended reply is kept for a while, so that a reader who comes late still gets its end (wire-contract.md §4.2).
import type { Database } from "../../platform/database/database.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import type { Clock } from "../../ports/clock.ts";
import { purgeSomeLogs } from "../sessions/purge-store.ts";

const REPLIES_PER_STEP = 50;

/** Forgets the logs of all replies that closed before `endedBefore` (ms), some at a time. What a power cut undoes is due again. */
export async function purgeLogs(
  db: Pick<Database, "engine" | "forUpdateOfFree" | "unsynced">,
  clock: Pick<Clock, "monotonic">,
  endedBefore: number,
): Promise<void> {
  let from = 0;
  await inSmallSteps(clock, REPLIES_PER_STEP, async (count) => {
    const next = await db.unsynced((q) => purgeSomeLogs(db, q, { from, before: endedBefore }, count));
    from = next ?? from;
    return next !== null;
  });
}
