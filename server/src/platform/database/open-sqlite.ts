// The embedded database: one file in DATA_DIR, one connection, durable at every commit.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { prepareDataFolder } from "../data-folder.ts";
import { messageOf } from "../error-words.ts";
import type { Logger } from "../logger.ts";
import { makePrivate } from "../private-files.ts";
import { StartError } from "../start-error.ts";
import type { Database, LogRow, Trx } from "./database.ts";
import { LogFlush } from "./flush-log.ts";
import { LocalChannels } from "./local-channels.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { lockDataFolder } from "./process-lock.ts";
import type { Schema } from "./schema.ts";
import { TransactionScope } from "./transaction-scope.ts";
import { WalTruncation } from "./wal-truncation.ts";

export interface SqliteOptions {
  dataDir: string;
  log: Logger;
  /** True for the serving process. Operator commands open the data beside it without the lock. */
  exclusive: boolean;
}

/** One row, if its lease is still held. In the process, a run per row costs less than one statement with a JSON list. */
const appendLogSql = `insert into stream_log (reply, epoch, first_id, at, events)
select ?1, ?2, ?3, ?4, ?5 from reply_lease where reply = ?1 and epoch = ?2 and owner = ?6`;

/** Opens or creates `plumb.db` in the data folder. Throws a StartError with one sentence when it cannot be used. */
export function openSqlite({ dataDir, log, exclusive }: SqliteOptions): Database {
  prepareDataFolder(dataDir);
  const open = makePrivate(dataDir);
  if (open.length > 0) log.warn({ open }, "other users of this machine may read stored data");
  const unlock = exclusive ? lockDataFolder(dataDir) : () => {};
  let connection: DatabaseSync;
  const file = join(dataDir, "plumb.db");
  try {
    refuseLogWithoutDatabase(file);
    connection = openFile(file);
  } catch (error) {
    unlock();
    throw error;
  }

  const scope = new TransactionScope();
  const kysely = new Kysely<Schema>({
    dialect: new NodeSqliteDialect(connection, scope, () => truncation?.schedule()),
  });
  const alone = <T>(work: (own: Kysely<Schema>) => Promise<T>) => kysely.connection().execute(work);
  // An operator command leaves the log to the server.
  const truncation = exclusive ? new WalTruncation({ connection, log, alone }) : null;
  const channels = new LocalChannels(log);
  const logFlush = new LogFlush(`${file}-wal`);
  const unsynced = <T>(work: (own: Kysely<Schema>) => Promise<T>): Promise<T> =>
    alone(async (own) => {
      // In WAL mode the next synced commit also writes to the disk what came before it.
      connection.exec("pragma synchronous = normal");
      try {
        return await work(own);
      } finally {
        connection.exec("pragma synchronous = full");
      }
    });
  let append: StatementSync | undefined;

  return {
    engine: "sqlite",
    kysely,
    transaction: (work) =>
      scope.run((inside) => kysely.transaction().execute((trx) => inside(() => work(trx)))),
    unsynced,
    async unsyncedTransaction(work) {
      const done = await scope.run((inside) =>
        unsynced((own) => own.transaction().execute((trx) => inside(() => work(trx)))),
      );
      await logFlush.committed();
      return done;
    },
    nowMs: sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
    forUpdate: sql``,
    forUpdateOfFree: sql``,
    async appendLog(_trx: Trx, owner: string, rows: LogRow[]): Promise<Set<number>> {
      // There is one connection, so this runs inside the caller's transaction.
      append ??= connection.prepare(appendLogSql);
      const appended = new Set<number>();
      for (const { reply, epoch, first_id, at, events } of rows) {
        if (append.run(reply, epoch, first_id, at, events, owner).changes > 0) appended.add(reply);
      }
      return appended;
    },
    async notify(_trx, channel, payload) {
      scope.afterCommit(() => channels.emit(channel, payload));
    },
    async listen(channel, callback) {
      return channels.listen(channel, callback);
    },
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      await truncation?.close();
      await logFlush.close();
      await kysely.destroy();
      if (connection.isOpen) connection.close();
      unlock();
    },
  };
}

/**
 * SQLite treats a missing or empty file as a new database and silently deletes the log beside it, which holds everything
 * committed since the last checkpoint. Throws a StartError then.
 */
function refuseLogWithoutDatabase(file: string): void {
  const log = `${file}-wal`;
  if (sizeOf(file) > 0 || sizeOf(log) === 0) return;
  const state = statSync(file, { throwIfNoEntry: false }) === undefined ? "is missing" : "is empty";
  throw new StartError(
    `The database file ${file} ${state}, but its log ${log} is there. Put the database back beside it; or move the log ` +
      "away to begin with an empty database. Nothing was changed.",
  );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function openFile(file: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
    // Reads the header and the schema before anything is written, so that a foreign file stays as it is.
    connection.prepare("select count(*) from sqlite_master").get();
    connection.exec("pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory");
    // What people have deleted stands in no page of the file. Its log is emptied then.
    connection.exec("pragma secure_delete = on");
    return connection;
  } catch (error) {
    if (connection?.isOpen === true) connection.close();
    throw new StartError(
      `The database file ${file} cannot be used (${messageOf(error)}). Nothing was changed; move it away or restore a backup.`,
      { cause: error },
    );
  }
}
