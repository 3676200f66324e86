// What must hold of files and their objects, in both directions; also beside a running server.
import type { ObjectKey, ObjectStore } from "../ports/object-store.ts";
import { exportOfKey } from "../features/exports/export-keys.ts";
import { importOfKey } from "../features/imports/import-keys.ts";
import { contentKey, fileOfKey, textKey } from "../features/files/file-keys.ts";
import { FileJob } from "../features/files/file-store.ts";
import type { Database } from "../platform/database/database.ts";
import {
  exportsOfIds,
  filesOfIds,
  importsWithUpload,
  jobsWithoutFile,
  keptExports,
  pageOfFiles,
  type StoredFile,
} from "./stored-files-store.ts";
import type { Violation } from "./violation.ts";

const OBJECTS_PER_LOOK = 200;

/** What is said of an object that nobody has. */
export const STRAY = "bytes that belong to no file";

export interface FileCheck {
  files: number;
  objects: number;
  violations: Violation[];
}

/**
 * Every file has its bytes, or a job that takes care of it; every object belongs to a file, an export or an import that has it. What looks wrong is
 * looked at twice: the server may have been in the middle of it.
 */
export async function checkFiles(db: Database, store: ObjectStore): Promise<FileCheck> {
  const violations: Violation[] = [];
  const tell = (where: string, what: string) => violations.push({ invariant: "files", where, what });

  let files = 0;
  for (let after = ""; ;) {
    const page = await pageOfFiles(db.kysely, after);
    for (const file of page) {
      if ((await problemOf(store, file)) === null) continue;
      const [again] = await filesOfIds(db.kysely, [file.id]);
      const problem = again === undefined ? null : await problemOf(store, again);
      if (problem !== null) tell(file.id, problem);
    }
    files += page.length;
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  for (const { id, object_key: key, bytes } of await keptExports(db.kysely)) {
    const size = await store.sizeOf(key);
    // It may have been removed since it was looked up.
    const still = size === bytes ? [] : await keptExports(db.kysely, id);
    if (still.length > 0) tell(id, `its zip has ${bytes} bytes, and ${size ?? "none"} are there`);
  }
  for (const subject of await jobsWithoutFile(db.kysely)) tell(subject, "a job for a file that is not there");

  let objects = 0;
  const look = async (keys: readonly ObjectKey[]): Promise<void> => {
    for (const key of await orphansAmong(db, keys)) {
      if ((await orphansAmong(db, [key])).length > 0 && (await store.sizeOf(key)) !== null) {
        tell(key, STRAY);
      }
    }
    objects += keys.length;
  };
  let keys: ObjectKey[] = [];
  for await (const { key } of store.list()) {
    keys.push(key);
    if (keys.length < OBJECTS_PER_LOOK) continue;
    await look(keys);
    keys = [];
  }
  await look(keys);
  return { files, objects, violations };
}

/** What is wrong with a file; null when nothing is. */
async function problemOf(store: ObjectStore, file: StoredFile): Promise<string | null> {
  if (file.status === "UPLOADING") {
    return file.job === FileJob.Upload || file.job === FileJob.Copy
      ? null
      : "it is being uploaded, and nobody takes its bytes";
  }
  if (file.removed_at !== null) {
    return file.job === FileJob.Remove ? null : "it was removed, and nobody takes its bytes away";
  }
  const bytes = await store.sizeOf(contentKey(file.id));
  if (file.from_share !== 0 ? bytes !== null : bytes !== file.bytes)
    return `it has ${file.bytes} bytes, and ${bytes ?? "none"} are there`;
  if (file.status === "PENDING" || file.status === "PARSING") {
    return file.job === FileJob.Read ? null : "it is to be read, and nobody does";
  }
  if (file.job !== null) return `it is ${file.status}, and there is a job ${file.job}`;
  if (file.attached_at !== null && !file.carried) return "no session carries it any more";
  if (file.status !== "SUCCESS") return null;
  const text = await store.sizeOf(textKey(file.id));
  return text === file.text_bytes
    ? null
    : `its text has ${file.text_bytes} bytes, and ${text ?? "none"} are there`;
}

/** Objects that no file, export or import of the database can have. What is in work may have any of its objects. */
async function orphansAmong(db: Database, keys: readonly ObjectKey[]): Promise<ObjectKey[]> {
  const named = keys.map((key) => ({ key, file: fileOfKey(key) }));
  const ids = [...new Set(named.flatMap(({ file }) => file?.id ?? []))];
  const rows = new Map((await filesOfIds(db.kysely, ids)).map((row) => [row.id, row]));
  const exportIds = [...new Set(keys.flatMap((key) => exportOfKey(key) ?? []))];
  const exports = new Map((await exportsOfIds(db.kysely, exportIds)).map((row) => [row.id, row]));
  const importIds = [...new Set(keys.flatMap((key) => importOfKey(key) ?? []))];
  const imports = await importsWithUpload(db.kysely, importIds);
  return named
    .filter(({ key }) => !imports.has(importOfKey(key) ?? ""))
    .filter(({ key, file }) => {
      const exported = exports.get(exportOfKey(key) ?? "");
      if (exported !== undefined) return exported.job === null && exported.object_key !== key;
      const row = file === null ? undefined : rows.get(file.id);
      if (row === undefined) return true;
      return file?.part === "text" && row.status !== "SUCCESS" && row.job === null;
    })
    .map(({ key }) => key);
}
