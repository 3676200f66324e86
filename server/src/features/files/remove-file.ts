// The job that takes the bytes and the text of a removed file; its row goes last, so that nothing is forgotten.
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { keysOf } from "./file-keys.ts";
import { deleteFileRow } from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { sweepEarlier } from "./scratch-files.ts";

export async function removeFile({ db, ports, scratch }: FilesContext, job: HeldJob): Promise<void> {
  const { subject: id } = job.row;
  await db.transaction((trx) => job.hold(trx));
  await sweepEarlier(scratch, job.row);
  await ports.objectStore.remove(keysOf(id));
  await db.transaction(async (trx) => {
    await deleteFileRow(trx, id);
    await job.finish(trx);
  });
}
