// Ends an import in the middle: whoever works at it finds its job changed.
import { changeJobs } from "../../platform/jobs/job-store.ts";
import { lockUser } from "../accounts/user-store.ts";
import { isImportId } from "./import-keys.ts";
import { endImport, findImportById, ImportJob, type ImportRow } from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";

/** Returns the import as it is then; undefined where the user has none of this id that goes on. */
export async function stopImport(
  { db, ports, jobs }: ImportsContext,
  userId: string,
  id: string,
): Promise<ImportRow | undefined> {
  if (!isImportId(id)) return undefined;
  const ended = await db.transaction(async (trx) => {
    await lockUser(db, trx, userId);
    if ((await findImportById(trx, id))?.user_id !== userId) return undefined;
    const row = await endImport(trx, id, {
      status: "CANCELLED",
      error: null,
      finished_at: ports.clock.now(),
    });
    if (row !== undefined) await changeJobs(db, trx, { subjects: [id], kind: ImportJob.Remove, userId });
    return row;
  });
  if (ended !== undefined) jobs.wake();
  return ended;
}
