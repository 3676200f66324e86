// Reads stored files for the checker (check-files.ts). They may be in any state.
import type { Queryable } from "../platform/database/database.ts";
import type { FileRow } from "../features/files/file-store.ts";

const FILES_PER_READ = 200;

/** A file with the kind of its job, and whether a session that is there carries it. */
export interface StoredFile extends FileRow {
  job: string | null;
  carried: boolean;
}

/** Files after the id `after` in the order of their ids, some at a time. */
export async function pageOfFiles(q: Queryable, after: string): Promise<StoredFile[]> {
  return load(q, (query) => query.where("files.id", ">", after).orderBy("files.id").limit(FILES_PER_READ));
}

/** Those of these files that there are. */
export async function filesOfIds(q: Queryable, ids: readonly string[]): Promise<StoredFile[]> {
  return ids.length === 0 ? [] : load(q, (query) => query.where("files.id", "in", [...ids]));
}

type FileQuery = ReturnType<typeof filesWithJobs>;

function filesWithJobs(q: Queryable) {
  return q
    .selectFrom("files")
    .leftJoin("jobs", "jobs.subject", "files.id")
    .selectAll("files")
    .select("jobs.kind as job");
}

async function load(q: Queryable, narrow: (query: FileQuery) => FileQuery): Promise<StoredFile[]> {
  const rows = await narrow(filesWithJobs(q)).execute();
  if (rows.length === 0) return [];
  const links = await q
    .selectFrom("session_files")
    .innerJoin("sessions", "sessions.id", "session_files.session_id")
    .select("session_files.file_id")
    .where("sessions.deleted_at", "is", null)
    .where(
      "session_files.file_id",
      "in",
      rows.map(({ id }) => id),
    )
    .execute();
  const carried = new Set(links.map(({ file_id }) => file_id));
  return rows.map((row) => ({ ...row, carried: carried.has(row.id) }));
}

/** Subjects of jobs about files that are not there. */
export async function jobsWithoutFile(q: Queryable): Promise<string[]> {
  const rows = await q
    .selectFrom("jobs")
    .leftJoin("files", "files.id", "jobs.subject")
    .select("jobs.subject")
    .where("jobs.kind", "like", "file-%")
    .where("files.id", "is", null)
    .execute();
  return rows.map(({ subject }) => subject);
}

/** Exports that have a zip; the one of this id alone where it is given. */
export async function keptExports(
  q: Queryable,
  id?: string,
): Promise<{ id: string; object_key: string; bytes: number }[]> {
  let query = q
    .selectFrom("exports")
    .select(["id", "object_key", "bytes"])
    .where("object_key", "is not", null)
    .where("removed_at", "is", null)
    .$narrowType<{ object_key: string }>();
  if (id !== undefined) query = query.where("id", "=", id);
  return query.execute();
}

/** Those of these imports whose upload may be there: they go on, or a job takes care of it. */
export async function importsWithUpload(q: Queryable, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await q
    .selectFrom("jobs")
    .select("subject")
    .where("subject", "in", [...ids])
    .execute();
  return new Set(rows.map(({ subject }) => subject));
}

/** Exports, removed ones too, each with the kind of its job. */
export async function exportsOfIds(
  q: Queryable,
  ids: readonly string[],
): Promise<{ id: string; object_key: string | null; job: string | null }[]> {
  if (ids.length === 0) return [];
  return q
    .selectFrom("exports")
    .leftJoin("jobs", "jobs.subject", "exports.id")
    .select(["exports.id", "exports.object_key", "jobs.kind as job"])
    .where("exports.id", "in", [...ids])
    .execute();
}
