// Rows of exports: one that can be seen for each user, and those whose bytes are being removed.
import type { Selectable } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { ExportsTable } from "../../platform/database/schema.ts";
import { changeJobs, insertJob } from "../../platform/jobs/job-store.ts";
import { lockUserIfThere } from "../accounts/user-store.ts";

export type ExportRow = Selectable<ExportsTable>;

/** What an export's only job is about. Its subject is the export's id. */
export const ExportJob = { Write: "export-write", Remove: "export-remove" } as const;

const seen = (q: Queryable, userId: string) =>
  q.selectFrom("exports").selectAll().where("user_id", "=", userId).where("removed_at", "is", null);

/** The user's last export. */
export async function findExport(q: Queryable, userId: string): Promise<ExportRow | undefined> {
  return seen(q, userId).executeTakeFirst();
}

/** As it can be seen, and wanted: not removed. */
export async function findExportById(q: Queryable, id: string): Promise<ExportRow | undefined> {
  return q
    .selectFrom("exports")
    .selectAll()
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
}

/** Begins an export in place of the one before, whose bytes are removed. */
export async function replaceExport(
  db: Database,
  row: Pick<ExportRow, "id" | "user_id" | "locale" | "requested_at">,
): Promise<ExportRow> {
  return db.transaction(async (trx) => {
    await removeExportsOfUser(db, trx, { userId: row.user_id, now: row.requested_at });
    const made = await trx
      .insertInto("exports")
      .values({ ...row, status: "INIT" })
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertJob(db, trx, { subject: row.id, kind: ExportJob.Write, user_id: row.user_id });
    return made;
  });
}

/** Removes what a user has exported, or is exporting: unreadable from the commit on; jobs take the bytes. */
export async function removeExportsOfUser(
  db: Database,
  trx: Trx,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  await lockUserIfThere(db, trx, userId);
  const subjects = (await seen(trx, userId).execute()).map(({ id }) => id);
  if (subjects.length === 0) return;
  await trx.updateTable("exports").set({ removed_at: now }).where("id", "in", subjects).execute();
  await changeJobs(db, trx, { subjects, kind: ExportJob.Remove, userId });
}

/** It is being written, and how far. */
export async function storeProgress(
  q: Queryable,
  id: string,
  progress: Pick<ExportRow, "sessions_done" | "sessions_total">,
): Promise<void> {
  await q
    .updateTable("exports")
    .set({ ...progress, status: "CREATED" })
    .where("id", "=", id)
    .execute();
}

/** What became of it. */
export async function storeEnd(
  q: Queryable,
  id: string,
  end: Pick<ExportRow, "finished_at"> &
    Partial<Pick<ExportRow, "object_key" | "bytes">> & {
      status: "FINISHED" | "EMPTY" | "FAILED";
    },
): Promise<void> {
  await q
    .updateTable("exports")
    .set((row) => ({ ...end, sessions_done: row.ref("sessions_total") }))
    .where("id", "=", id)
    .execute();
}

/** The zip that it has, whoever wrote it; null for none. */
export async function objectOf(q: Queryable, id: string): Promise<string | null> {
  const row = await q.selectFrom("exports").select("object_key").where("id", "=", id).executeTakeFirst();
  return row?.object_key ?? null;
}

export async function deleteExportRow(q: Queryable, id: string): Promise<void> {
  await q.deleteFrom("exports").where("id", "=", id).execute();
}

/** Some exports that finished before `before` (ms) and whose zips are kept. */
export async function keptBefore(
  q: Queryable,
  before: number,
  count: number,
): Promise<{ id: string; object_key: string }[]> {
  return q
    .selectFrom("exports")
    .select(["id", "object_key"])
    .where("object_key", "is not", null)
    .where("finished_at", "<", before)
    .limit(count)
    .$narrowType<{ object_key: string }>()
    .execute();
}

/** Its zip is gone. */
export async function forgetObject(q: Queryable, id: string): Promise<void> {
  await q.updateTable("exports").set({ object_key: null }).where("id", "=", id).execute();
}
