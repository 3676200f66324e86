// Rows of imports, one that can be seen for each user, and of what was made of what they brought.
import type { ImportError, ImportKind, ImportState } from "@plumb/protocol/wire/imports";
import type { Selectable, Updateable } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { ImportsTable, SessionsTable } from "../../platform/database/schema.ts";
import { changeJobs } from "../../platform/jobs/job-store.ts";

export type ImportRow = Selectable<ImportsTable>;

/** What an import's only job is about: to end a dead upload, to take conversations in, to remove what is left. */
export const ImportJob = { Upload: "import-upload", Run: "import-run", Remove: "import-remove" } as const;

const UPLOADING = "UPLOADING";
/** Nobody's to see any more; the row goes when what it has left is gone. */
const GONE = "GONE";
const OUT_OF_SIGHT = { status: GONE, file_name: "", skipped: "[]" } as const;
const GOING_ON = ["QUEUED", "RUNNING"];

/** The user's last import. */
export async function findImport(q: Queryable, userId: string): Promise<ImportRow | undefined> {
  return q
    .selectFrom("imports")
    .selectAll()
    .where("user_id", "=", userId)
    .where("status", "not in", [UPLOADING, GONE])
    .executeTakeFirst();
}

export async function findImportById(q: Queryable, id: string): Promise<ImportRow | undefined> {
  return q.selectFrom("imports").selectAll().where("id", "=", id).executeTakeFirst();
}

/** True while an upload or an import of the user is under way. */
export async function hasRunningImport(q: Queryable, userId: string): Promise<boolean> {
  const row = await q
    .selectFrom("imports")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "in", [UPLOADING, ...GOING_ON])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** An import whose bytes are still to come. */
export async function insertUploading(
  q: Queryable,
  row: Pick<ImportRow, "id" | "user_id" | "locale" | "file_name" | "requested_at">,
): Promise<void> {
  await q
    .insertInto("imports")
    .values({ ...row, status: UPLOADING })
    .execute();
}

/** All its bytes have come: it takes the place of the user's import before, which has ended. */
export async function markQueued(
  trx: Trx,
  { id, user_id: userId }: Pick<ImportRow, "id" | "user_id">,
): Promise<ImportRow> {
  await forgetEnded(trx, userId);
  return trx
    .updateTable("imports")
    .set({ status: "QUEUED" })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteImportRow(q: Queryable, id: string): Promise<void> {
  await q.deleteFrom("imports").where("id", "=", id).execute();
}

/** It is being worked on; undefined where there is nothing to do any more. */
export async function markRunning(q: Queryable, id: string): Promise<ImportRow | undefined> {
  return q
    .updateTable("imports")
    .set({ status: "RUNNING" })
    .where("id", "=", id)
    .where("status", "in", GOING_ON)
    .returningAll()
    .executeTakeFirst();
}

/** What the import has come to. */
export async function storeImport(
  q: Queryable,
  id: string,
  change: Updateable<ImportsTable> & { kind?: ImportKind },
): Promise<void> {
  await q.updateTable("imports").set(change).where("id", "=", id).execute();
}

/** Ends it, where it had not ended. Returns the row as it is then; undefined where it had. */
export async function endImport(
  q: Queryable,
  id: string,
  end: {
    status: Extract<ImportState, "FINISHED" | "FAILED" | "CANCELLED">;
    error: ImportError | null;
    finished_at: number;
  },
): Promise<ImportRow | undefined> {
  return q
    .updateTable("imports")
    .set(end)
    .where("id", "=", id)
    .where("status", "in", GOING_ON)
    .returningAll()
    .executeTakeFirst();
}

/**
 * The user's history was deleted: nothing is taken in any more, and nothing told of what was. An upload that still comes is of
 * what is to come.
 */
export function removeImportsOfUser(db: Database, trx: Trx, userId: string): Promise<void> {
  return removeImports(db, trx, { userId, statuses: GOING_ON });
}

/** The account is deleted, with all that names it. */
export async function forgetImportsOfUser(db: Database, trx: Trx, userId: string): Promise<void> {
  await removeImports(db, trx, { userId, statuses: [UPLOADING, ...GOING_ON] });
  await trx.deleteFrom("imported").where("user_id", "=", userId).execute();
}

async function removeImports(
  db: Database,
  trx: Trx,
  { userId, statuses }: { userId: string; statuses: readonly string[] },
): Promise<void> {
  const going = await trx
    .updateTable("imports")
    .set(OUT_OF_SIGHT)
    .where("user_id", "=", userId)
    .where("status", "in", statuses)
    .returning("id")
    .execute();
  const subjects = going.map(({ id }) => id);
  await changeJobs(db, trx, { subjects, kind: ImportJob.Remove, userId });
  await forgetEnded(trx, userId);
}

/** What has ended is told no more. Where it has left something half made, its job still asks the row what. */
async function forgetEnded(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable("imports")
    .set(OUT_OF_SIGHT)
    .where("user_id", "=", userId)
    .where("finished_at", "is not", null)
    .where("making", "is not", null)
    .execute();
  await trx
    .deleteFrom("imports")
    .where("user_id", "=", userId)
    .where("finished_at", "is not", null)
    .where("making", "is", null)
    .execute();
}

export async function deleteWhereGone(q: Queryable, id: string): Promise<void> {
  await q.deleteFrom("imports").where("id", "=", id).where("status", "=", GONE).execute();
}

/** Forgets the imports that ended before `before` (ms); what they made stays. */
export async function forgetImports(q: Queryable, before: number): Promise<void> {
  await q.deleteFrom("imports").where("finished_at", "<", before).execute();
}

/** What was made of these sources of the user's, by their hashes. */
export async function targetOf(
  q: Queryable,
  userId: string,
  source: string,
): Promise<{ target: string; import_id: string | null } | undefined> {
  return q
    .selectFrom("imported")
    .select(["target", "import_id"])
    .where("user_id", "=", userId)
    .where("source", "=", source)
    .executeTakeFirst();
}

/** `importId` null: for as long as the session `target` is there. */
export async function storeTarget(
  q: Queryable,
  made: { userId: string; source: string; target: string; importId: string | null },
): Promise<void> {
  await q
    .insertInto("imported")
    .values({ user_id: made.userId, source: made.source, target: made.target, import_id: made.importId })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "source"]).doUpdateSet({ target: made.target, import_id: made.importId }),
    )
    .execute();
}

/** The sessions are gone: what they were made of may be imported again. */
export async function forgetTargets(q: Queryable, targets: readonly string[]): Promise<void> {
  if (targets.length === 0) return;
  await q
    .deleteFrom("imported")
    .where("target", "in", [...targets])
    .execute();
}

/** Some of the files that the import has made and that no message carries. */
export async function unsentFilesOf(
  q: Queryable,
  { userId, importId, count }: { userId: string; importId: string; count: number },
): Promise<string[]> {
  const rows = await q
    .selectFrom("imported")
    .innerJoin("files", "files.id", "imported.target")
    .select("files.id")
    .where("imported.user_id", "=", userId)
    .where("imported.import_id", "=", importId)
    .where("files.attached_at", "is", null)
    .where("files.removed_at", "is", null)
    .limit(count)
    .execute();
  return rows.map(({ id }) => id);
}

/** The import has ended: which of its files was made of which is not asked for any more. */
export async function forgetFilesOf(q: Queryable, userId: string, importId: string): Promise<void> {
  await q.deleteFrom("imported").where("user_id", "=", userId).where("import_id", "=", importId).execute();
}

export type PlacedSession = Pick<Selectable<SessionsTable>, "id" | "updated_at" | "seq_id">;

/** At most `count` of the user's sessions by their places in the list, those after `afterSeqId`; -1 begins. */
export async function pageOfPlaces(
  q: Queryable,
  userId: string,
  { afterSeqId, count }: { afterSeqId: number; count: number },
): Promise<PlacedSession[]> {
  return q
    .selectFrom("sessions")
    .select(["id", "updated_at", "seq_id"])
    .where("user_id", "=", userId)
    .where("seq_id", ">", afterSeqId)
    .where("deleted_at", "is", null)
    .orderBy("seq_id")
    .limit(count)
    .execute();
}

/** Moves a session to the front of the list, unless it has changed since it was seen. */
export async function moveToFront(
  trx: Trx,
  { id, updated_at: updatedAt }: PlacedSession,
  seqId: number,
): Promise<void> {
  await trx
    .updateTable("sessions")
    .set({ seq_id: seqId })
    .where("id", "=", id)
    .where("updated_at", "=", updatedAt)
    .execute();
}
