// A copy of everything that the embedded defaults keep, made beside a running server, and brought back into an empty folder
// (settings: DATA_DIR). PostgreSQL has tools of its own for that.
import { existsSync, readdirSync } from "node:fs";
import { copyFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { makeDataFolder, prepareDataFolder } from "../platform/data-folder.ts";
import { lockDataFolder } from "../platform/database/process-lock.ts";
import { openDatabase } from "../platform/database/open-database.ts";
import { messageOf } from "../platform/error-words.ts";
import type { Logger } from "../platform/logger.ts";
import { StartError } from "../platform/start-error.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { checkFiles, STRAY } from "./check-files.ts";

const DATABASE = "plumb.db";
const OBJECTS = "objects";
const KEY = "secret.key";
/** Written last: a folder without it is no whole backup. */
const MARK = "backup.json";
/** What SQLite keeps beside a database: what it has not taken over yet, or has to take back. */
const BESIDE = ["-wal", "-journal"] as const;
const ENDS = ["", ...BESIDE, "-shm"] as const;
/** As many as the library takes: more than a database has, so that all go in one step. */
const PAGES_AT_ONCE = 2 ** 31 - 1;
/** A file can be deleted between the copy of the database and that of its bytes: then all is copied anew. */
const ATTEMPTS = 5;

export interface BackupTools {
  databaseUrl: string | null;
  /** DATA_DIR. */
  dataDir: string;
  /** The objects of a folder. */
  storeIn(folder: string): ObjectStore;
  log: Logger;
  out(line: string): void;
  nowMs: number;
}

/**
 * Copies database, files and key into `folder`, which must not be there yet. The server may go on: the database is copied as
 * it is at one moment, and has every file that it names. Throws a StartError with one sentence when that cannot be done.
 */
export async function backup(tools: BackupTools, folder: string): Promise<void> {
  const { dataDir, out, nowMs } = tools;
  refusePostgres(tools);
  const from = join(dataDir, DATABASE);
  if (!existsSync(from)) throw new StartError(`There is no data: ${from} is not there.`);
  refuseFilled(folder);
  // Under another name until it is whole.
  const unfinished = `${resolve(folder)}.unfinished`;
  try {
    await rm(unfinished, { recursive: true, force: true });
    makeDataFolder(unfinished);
    if (existsSync(join(dataDir, KEY))) await copyFile(join(dataDir, KEY), join(unfinished, KEY));
    const objects = await copyAll(tools, unfinished);
    await writeFile(
      join(unfinished, MARK),
      `${JSON.stringify({ madeAt: new Date(nowMs).toISOString(), objects })}\n`,
    );
    if (existsSync(folder)) await rm(folder, { recursive: true });
    await rename(unfinished, folder);
    out(`The backup is in ${folder}: the database and ${objects} objects.`);
  } catch (error) {
    // What cannot be removed could not be made either.
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    if (error instanceof StartError) throw error;
    throw new StartError(`The backup could not be made: ${messageOf(error)}. Nothing is left of it.`, {
      cause: error,
    });
  }
}

/** Resolves with the number of objects in the copy. */
async function copyAll({ dataDir, storeIn, log }: BackupTools, folder: string): Promise<number> {
  const [source, copy] = [storeIn(join(dataDir, OBJECTS)), storeIn(join(folder, OBJECTS))];
  await copyObjects(source, copy);
  for (let attempt = 1; ; attempt += 1) {
    await copyRows(join(dataDir, DATABASE), join(folder, DATABASE));
    // What came since the first look.
    await copyObjects(source, copy);
    const db = await openDatabase({ databaseUrl: null, dataDir: folder }, log, { exclusive: false });
    try {
      const { violations, objects } = await checkFiles(db, copy);
      const strays = violations.filter(({ what }) => what === STRAY).map(({ where }) => where);
      await copy.remove(strays);
      const missing = violations.length - strays.length;
      if (missing === 0) return objects - strays.length;
      if (attempt === ATTEMPTS)
        throw new StartError(
          `The files of ${missing} rows were not to be had. \`npm run operator -- check-files\` tells which.`,
        );
    } finally {
      await db.close();
    }
  }
}

/** Those that are not in the copy yet: an object never changes. One that goes meanwhile is left out. */
async function copyObjects(source: ObjectStore, copy: ObjectStore): Promise<void> {
  for await (const { key, bytes } of source.list()) {
    if ((await copy.sizeOf(key)) === bytes) continue;
    try {
      await copy.put(key, source.read(key));
    } catch (error) {
      if ((await source.sizeOf(key)) !== null) throw error;
    }
  }
}

/** All pages in one step: the copy is of one moment. Whoever writes meanwhile goes on. */
async function copyRows(from: string, to: string): Promise<void> {
  await removeDatabase(to);
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  try {
    await copyDatabase(database, to, { rate: PAGES_AT_ONCE });
  } finally {
    database.close();
  }
}

async function removeDatabase(file: string): Promise<void> {
  for (const end of ENDS) await rm(file + end, { force: true });
}

/**
 * Copies a database that nobody has open into one file. Who had it open before and was killed has left a part of it beside
 * it: without that the rows would be those of an earlier moment, or pages of two moments.
 */
async function copyRestingRows(from: string, to: string): Promise<void> {
  await removeDatabase(to);
  await copyFile(from, to);
  const beside = BESIDE.filter((end) => existsSync(from + end));
  if (beside.length === 0) return;
  for (const end of beside) await copyFile(from + end, to + end);
  const database = new DatabaseSync(to);
  try {
    // Reading takes back what was not finished; the last one to close takes over the rest.
    database.exec("select count(*) from sqlite_master; pragma wal_checkpoint(truncate)");
  } finally {
    database.close();
  }
}

/**
 * Brings a backup back into DATA_DIR, which must have no data yet. What is there afterwards is what was at the moment of the
 * backup; sign-ins of that time hold again. Resolves with the number of violations found in it. Throws a StartError with one
 * sentence when that cannot be done.
 */
export async function restore(tools: BackupTools, folder: string): Promise<number> {
  const { dataDir, storeIn, log, out } = tools;
  refusePostgres(tools);
  if (!existsSync(join(folder, MARK))) throw new StartError(`There is no whole backup in ${folder}.`);
  // What SQLite left beside a database that is gone would be read into the one that comes.
  if (ENDS.some((end) => existsSync(join(dataDir, DATABASE + end))))
    throw new StartError(`${dataDir} has data already. Move it away, or name another folder with DATA_DIR.`);
  prepareDataFolder(dataDir);
  const objects = storeIn(join(dataDir, OBJECTS));
  const unlock = lockDataFolder(dataDir);
  try {
    await copyObjects(storeIn(join(folder, OBJECTS)), objects);
    if (existsSync(join(folder, KEY))) await copyFile(join(folder, KEY), join(dataDir, KEY));
    // Last, and under its own name at once: without it there is no data.
    const incoming = join(dataDir, `${DATABASE}.incoming`);
    await copyRestingRows(join(folder, DATABASE), incoming);
    await rename(incoming, join(dataDir, DATABASE));
  } catch (error) {
    throw new StartError(`The backup could not be brought back: ${messageOf(error)}.`, { cause: error });
  } finally {
    unlock();
  }
  const db = await openDatabase({ databaseUrl: null, dataDir }, log, { exclusive: false });
  try {
    const { files, violations } = await checkFiles(db, objects);
    for (const { where, what } of violations) out(`${where}: ${what}`);
    out(
      `The backup is back in ${dataDir}: the database and ${files} files, ${violations.length} violations.`,
    );
    return violations.length;
  } finally {
    await db.close();
  }
}

function refusePostgres({ databaseUrl }: BackupTools): void {
  if (databaseUrl !== null)
    throw new StartError(
      "This is for the embedded database. PostgreSQL is backed up with pg_dump, and the folder of objects by copying it after that.",
    );
}

function refuseFilled(folder: string): void {
  let names: string[];
  try {
    names = existsSync(folder) ? readdirSync(folder) : [];
  } catch (error) {
    throw new StartError(`${folder} is no folder to look into (${messageOf(error)}). Name a new one.`, {
      cause: error,
    });
  }
  if (names.length > 0) throw new StartError(`${folder} is there already, and not empty. Name a new folder.`);
}
