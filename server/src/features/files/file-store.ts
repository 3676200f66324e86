// Rows of files. A row that is being uploaded or has been removed is nobody's to see.
import type { FileStatus } from "@plumb/protocol/conversation/file-info";
import { type Selectable, sql } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { FilesTable } from "../../platform/database/schema.ts";
import { changeJobs } from "../../platform/jobs/job-store.ts";
import { isFileId } from "./file-keys.ts";

export type FileRow = Selectable<FilesTable>;

/** What a file's only job is about: to end a dead upload or copy, to read the text, to remove what is left. */
export const FileJob = {
  Upload: "file-upload",
  Copy: "file-copy",
  Read: "file-read",
  Remove: "file-remove",
} as const;

const UPLOADING = "UPLOADING";
/** Files that are marked or looked for in one statement. */
const FILES_PER_STATEMENT = 200;

/** Bytes of all files that are kept of a user; of one that has a text alone, those of the text. */
export async function bytesOfUser(q: Queryable, userId: string): Promise<number> {
  const { bytes } = await q
    .selectFrom("files")
    .select(({ fn }) =>
      fn.sum<number | null>(sql<number>`case from_share when 0 then bytes else text_bytes end`).as("bytes"),
    )
    .where("user_id", "=", userId)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** A file whose bytes are still to come. */
export async function insertUploading(
  q: Queryable,
  file: Pick<FileRow, "id" | "user_id" | "name" | "thinking_enabled" | "inserted_at">,
): Promise<void> {
  await q
    .insertInto("files")
    .values({ ...file, bytes: 0, status: UPLOADING, updated_at: file.inserted_at })
    .execute();
}

/**
 * Holds a file whose bytes or text still come until the transaction ends: before the user, as whoever deletes the account
 * does, who takes also these.
 */
export async function holdFile(db: Database, trx: Trx, id: string): Promise<void> {
  await trx.selectFrom("files").select("id").where("id", "=", id).modifyEnd(db.forUpdate).execute();
}

/** All its bytes have come: it is its owner's to see from now on. */
export async function markUploaded(q: Queryable, id: string, bytes: number, now: number): Promise<FileRow> {
  return q
    .updateTable("files")
    .set({ bytes, status: "PENDING", updated_at: now })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Of whom a file is that has a text and no bytes: its `from_share`. */
export const TextOf = {
  /** Somebody's who shared a chat: the model reads it, and nobody is shown or handed it. */
  Sharer: 1,
  /** The user's own, who imported an own export. */
  User: 2,
} as const;

export type TextOf = (typeof TextOf)[keyof typeof TextOf];

/** A file whose text was copied from another's: there is nothing to read any more. */
export async function markCopied(
  q: Queryable,
  id: string,
  source: Pick<FileRow, "bytes" | "tokens" | "text_bytes"> & { textOf: TextOf },
  now: number,
): Promise<void> {
  await q
    .updateTable("files")
    .set({
      status: "SUCCESS",
      bytes: source.bytes,
      tokens: source.tokens,
      text_bytes: source.text_bytes,
      from_share: source.textOf,
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

/** A file whose reading begins; undefined where there is nothing to read any more. */
export async function markParsing(q: Queryable, id: string, now: number): Promise<FileRow | undefined> {
  return q
    .updateTable("files")
    .set({ status: "PARSING", updated_at: now })
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .where("status", "in", ["PENDING", "PARSING"])
    .returningAll()
    .executeTakeFirst();
}

/** What became of the reading, or that it waits again. */
export async function storeParsed(
  q: Queryable,
  id: string,
  parsed: Pick<FileRow, "error_code" | "tokens" | "text_bytes" | "updated_at"> & { status: FileStatus },
): Promise<void> {
  await q.updateTable("files").set(parsed).where("id", "=", id).execute();
}

export async function deleteFileRow(q: Queryable, id: string): Promise<void> {
  await q.deleteFrom("session_files").where("file_id", "=", id).execute();
  await q.deleteFrom("files").where("id", "=", id).execute();
}

/** Those of the user's files with these ids that can be seen, in the order of `ids`. */
export async function findFiles(q: Queryable, userId: string, ids: readonly string[]): Promise<FileRow[]> {
  const known = ids.filter(isFileId);
  if (known.length === 0) return [];
  const rows = await visible(q, userId).where("id", "in", known).execute();
  return inOrder(rows, known);
}

function visible(q: Queryable, userId: string) {
  return q
    .selectFrom("files")
    .selectAll()
    .where("user_id", "=", userId)
    .where("removed_at", "is", null)
    .where("status", "<>", UPLOADING);
}

function inOrder(rows: readonly FileRow[], ids: readonly string[]): FileRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** As `findFiles`, held against removal until the transaction ends. Every writer locks files in the order of their ids. */
export async function lockFiles(
  db: Database,
  trx: Trx,
  userId: string,
  ids: readonly string[],
): Promise<FileRow[]> {
  const known = ids.filter(isFileId);
  if (known.length === 0) return [];
  const rows = await visible(trx, userId)
    .where("id", "in", known)
    .orderBy("id")
    .modifyEnd(db.forUpdate)
    .execute();
  return inOrder(rows, known);
}

/** Messages of the session carry these files, which the transaction has locked. */
export async function attachFiles(
  trx: Trx,
  {
    sessionId,
    userId,
    fileIds,
    now,
  }: { sessionId: string; userId: string; fileIds: readonly string[]; now: number },
): Promise<void> {
  if (fileIds.length === 0) return;
  await trx
    .insertInto("session_files")
    .values(fileIds.map((id) => ({ session_id: sessionId, file_id: id, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx
    .updateTable("files")
    .set({ attached_at: now })
    .where("id", "in", [...fileIds])
    .where("attached_at", "is", null)
    .execute();
}

/** The files that messages of a session carry, by their ids. */
export async function filesOfSession(q: Queryable, sessionId: string): Promise<Map<string, FileRow>> {
  const rows = await q
    .selectFrom("files")
    .innerJoin("session_files", "session_files.file_id", "files.id")
    .selectAll("files")
    .where("session_files.session_id", "=", sessionId)
    .where("files.removed_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Some of the user's files that have a text of their own, in the order of their ids: none whose text is a sharer's. */
export async function pageOfTexts(
  q: Queryable,
  userId: string,
  { afterId, count }: { afterId: string; count: number },
): Promise<FileRow[]> {
  return visible(q, userId)
    .where("status", "=", "SUCCESS")
    .where("from_share", "<>", TextOf.Sharer)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(count)
    .execute();
}

/** The sessions are being deleted: files that no other session carries go with them. */
export async function removeFilesOfSessions(
  db: Database,
  trx: Trx,
  { userId, sessionIds, now }: { userId: string; sessionIds: readonly string[]; now: number },
): Promise<void> {
  const carried = await trx
    .deleteFrom("session_files")
    .where("session_id", "in", [...sessionIds])
    .returning("file_id")
    .execute();
  const ids = [...new Set(carried.map(({ file_id }) => file_id))].sort();
  for (let from = 0; from < ids.length; from += FILES_PER_STATEMENT) {
    const some = ids.slice(from, from + FILES_PER_STATEMENT);
    // Whoever attaches one meanwhile has it locked, or waits here and finds it gone.
    const rows = await lockFiles(db, trx, userId, some);
    const elsewhere = await trx
      .selectFrom("session_files")
      .select("file_id")
      .where("file_id", "in", some)
      .execute();
    const kept = new Set(elsewhere.map(({ file_id }) => file_id));
    await markRemoved(db, trx, { userId, ids: rows.map(({ id }) => id).filter((id) => !kept.has(id)), now });
  }
}

/**
 * The account is being deleted: all its files go, whatever is being done with them. What comes of an upload under way is
 * refused when it ends.
 */
export async function removeFilesOfUser(
  db: Database,
  trx: Trx,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  await trx.deleteFrom("session_files").where("user_id", "=", userId).execute();
  for (;;) {
    const rows = await trx
      .selectFrom("files")
      .select("id")
      .where("user_id", "=", userId)
      .where("removed_at", "is", null)
      .orderBy("id")
      .limit(FILES_PER_STATEMENT)
      .modifyEnd(db.forUpdate)
      .execute();
    await markRemoved(db, trx, { userId, ids: rows.map(({ id }) => id), now });
    if (rows.length < FILES_PER_STATEMENT) return;
  }
}

/** What they were made for came to nothing: those of the user's files with these ids go that no message carries. */
export async function removeUnsent(
  db: Database,
  { userId, ids, now }: { userId: string; ids: readonly string[]; now: number },
): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction(async (trx) => {
    const rows = await lockFiles(db, trx, userId, ids);
    const unsent = rows.filter((row) => row.attached_at === null);
    await markRemoved(db, trx, { userId, ids: unsent.map(({ id }) => id), now });
  });
}

/** Unreadable from the commit on; a job takes the bytes. */
async function markRemoved(
  db: Database,
  trx: Trx,
  { userId, ids, now }: { userId: string; ids: readonly string[]; now: number },
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("files")
    .set({ removed_at: now })
    .where("id", "in", [...ids])
    .execute();
  await changeJobs(db, trx, { subjects: ids, kind: FileJob.Remove, userId });
}

/** Removes some of the files that were uploaded before `before` and sent with no message. True when there may be more. */
export async function removeUnattached(
  db: Database,
  { before, now, limit = FILES_PER_STATEMENT }: { before: number; now: number; limit?: number },
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const due = await trx
      .selectFrom("files")
      .select(["id", "user_id"])
      .where("attached_at", "is", null)
      .where("removed_at", "is", null)
      .where("status", "<>", UPLOADING)
      .where("inserted_at", "<", before)
      .orderBy("id")
      .limit(limit)
      .modifyEnd(db.forUpdate)
      .execute();
    for (const { id, user_id: userId } of due) await markRemoved(db, trx, { userId, ids: [id], now });
    return due.length === limit;
  });
}
