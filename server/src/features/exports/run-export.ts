// The jobs of an export: to write its zip into the object store, and to take it away.
import type { Deps } from "../../platform/deps.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { writeZip } from "../../platform/zip/write-zip.ts";
import type { ObjectKey } from "../../ports/object-store.ts";
import { asideKeyOf, exportKey, exportKeys } from "./export-keys.ts";
import {
  deleteExportRow,
  type ExportRow,
  findExportById,
  objectOf,
  storeEnd,
  storeProgress,
} from "./export-store.ts";
import { archiveEntries, hasMoreToExport, sessionsToExport } from "./write-archive.ts";

/** An export that breaks, or takes its process with it, so often is given up. */
const MOST_ATTEMPTS = 3;
/** How far it is, is stored so often (ms). */
const TELL_MS = 1000;

export type ExportDeps = Pick<Deps, "db" | "ports" | "log">;

/** Writes all data of the user, from the beginning whoever has begun before, and tells how far it is. */
export async function runExport(deps: ExportDeps, job: HeldJob): Promise<void> {
  const { db, ports } = deps;
  const { subject: id, epoch, attempts } = job.row;
  const row = await findExportById(db.kysely, id);
  if (row === undefined) {
    await db.transaction((trx) => job.finish(trx));
    return;
  }
  await ports.objectStore.remove(exportKeys(id, epoch - 1));
  if (attempts >= MOST_ATTEMPTS) return await end(deps, job, { status: "FAILED" });
  const sessionIds = await sessionsToExport(deps, row.user_id);
  if (sessionIds.length === 0 && !(await hasMoreToExport(deps, row.user_id)))
    return await end(deps, job, { status: "EMPTY" });
  // Whoever else may have the job writes objects of its own.
  const [key, asideKey] = [exportKey(id, epoch), asideKeyOf(id, epoch)];
  try {
    const bytes = await ports.objectStore.put(key, zipOf(deps, job, { row, sessionIds, asideKey }));
    await ports.objectStore.remove([asideKey]);
    await end(deps, job, { status: "FINISHED", object_key: key, bytes });
  } catch (error) {
    await ports.objectStore.remove([key, asideKey]);
    throw error;
  }
}

async function end(
  { db, ports }: ExportDeps,
  job: HeldJob,
  what: { status: "EMPTY" | "FAILED" } | { status: "FINISHED"; object_key: string; bytes: number },
): Promise<void> {
  await db.transaction(async (trx) => {
    await storeEnd(trx, job.row.subject, { ...what, finished_at: ports.clock.now() });
    await job.finish(trx);
  });
}

async function* zipOf(
  deps: ExportDeps,
  job: HeldJob,
  { row, sessionIds, asideKey }: { row: ExportRow; sessionIds: readonly string[]; asideKey: ObjectKey },
): AsyncGenerator<Uint8Array> {
  const { db, ports } = deps;
  const total = sessionIds.length;
  let written = 0;
  let toldAt = -TELL_MS;
  const sessionWritten = async (): Promise<void> => {
    job.signal.throwIfAborted();
    written += 1;
    const now = ports.clock.monotonic();
    if (now - toldAt < TELL_MS) return;
    toldAt = now;
    await db.unsynced((q) => storeProgress(q, row.id, { sessions_done: written, sessions_total: total }));
  };
  for await (const piece of writeZip(archiveEntries(deps, row, { sessionIds, asideKey, sessionWritten }))) {
    job.signal.throwIfAborted();
    yield piece;
  }
  await storeProgress(db.kysely, row.id, { sessions_done: total, sessions_total: total });
}

/** Takes the bytes of an export that was replaced; its row goes last, so that nothing is forgotten. */
export async function removeExport({ db, ports }: ExportDeps, job: HeldJob): Promise<void> {
  const { subject: id, epoch } = job.row;
  await db.transaction((trx) => job.hold(trx));
  // A job that was finished has begun anew: its epoch says nothing of the one that wrote the zip.
  const finished = await objectOf(db.kysely, id);
  await ports.objectStore.remove([...exportKeys(id, epoch), ...(finished === null ? [] : [finished])]);
  await db.transaction(async (trx) => {
    await deleteExportRow(trx, id);
    await job.finish(trx);
  });
}
