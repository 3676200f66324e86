// Moves what the embedded database holds to PostgreSQL, so that several servers can serve it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Queryable } from "../platform/database/database.ts";
import { openDatabase } from "../platform/database/open-database.ts";
import { lockDataFolder } from "../platform/database/process-lock.ts";
import { StartError } from "../platform/start-error.ts";
import type { BackupTools } from "./backup.ts";
import { checkInvariants } from "./check-invariants.ts";
import {
  copyTable,
  countRows,
  finishCopy,
  hasAccounts,
  isOwnTarget,
  tablesOf,
} from "./copied-tables-store.ts";

type MigrationTools = Omit<BackupTools, "storeIn">;

/**
 * Copies every table of DATA_DIR's database into the one of DATABASE_URL, which has no accounts yet. The server must be
 * stopped. Nothing is taken from the folder, whose files stay where they are. Resolves with the number of violations found in
 * what was moved. Throws a StartError when that cannot be done.
 */
export const migrateData = (tools: MigrationTools): Promise<number> => copyAll(tools, refuseFilled);

/**
 * Goes on with a copy that was interrupted: what was copied before is not copied again. Somebody must ask for it, since what
 * was deleted there after a whole copy would come back.
 */
export const continueMigration = (tools: MigrationTools): Promise<number> => copyAll(tools, refuseForeign);

type Refusal = (source: DatabaseSync, target: Queryable) => Promise<void>;

async function refuseFilled(source: DatabaseSync, target: Queryable): Promise<void> {
  await refuseForeign(source, target);
  if (!(await hasAccounts(target))) return;
  throw new StartError(
    "The database of DATABASE_URL has accounts of this folder already. Name an empty one. If a move was interrupted and " +
      "no server has used that database since, `npm run operator -- migrate-data continue` goes on with it: what was " +
      "deleted there since would come back.",
  );
}

async function refuseForeign(source: DatabaseSync, target: Queryable): Promise<void> {
  if (!(await isOwnTarget(source, target)))
    throw new StartError("The database of DATABASE_URL has other accounts already. Name an empty one.");
}

async function copyAll(tools: MigrationTools, refuse: Refusal): Promise<number> {
  const { dataDir, databaseUrl, log, out } = tools;
  if (databaseUrl === null)
    throw new StartError("Set DATABASE_URL: the PostgreSQL database to move the data to.");
  const file = join(dataDir, "plumb.db");
  if (!existsSync(file)) throw new StartError(`There is no data: ${file} is not there.`);
  const unlock = lockDataFolder(dataDir);
  try {
    // Brings it to this version's schema, so that both have the same columns.
    await (await openDatabase({ databaseUrl: null, dataDir }, log, { exclusive: false })).close();
    const source = new DatabaseSync(file, { readOnly: true });
    const target = await openDatabase({ databaseUrl, dataDir }, log, { patient: true });
    try {
      await refuse(source, target.kysely);
      for (const table of tablesOf(source)) {
        const rows = await copyTable(source, target.kysely, table);
        const copied = await countRows(target.kysely, table);
        if (copied < rows) throw new StartError(`Of ${table} only ${copied} of ${rows} rows arrived.`);
        if (rows > 0) out(`${table}: ${rows} rows`);
      }
      await target.transaction((trx) => finishCopy(trx));
      const { sessions, violations } = await checkInvariants(target);
      for (const { invariant, where, what } of violations) out(`${invariant}  ${where}: ${what}`);
      out(`The data is in PostgreSQL: ${sessions} sessions, ${violations.length} violations.`);
      out(
        `Start the servers with this DATABASE_URL, SECRET_KEY as in ${join(dataDir, "secret.key")}, and ` +
          `${join(dataDir, "objects")} as DATA_DIR/objects: the files stay there.`,
      );
      return violations.length;
    } finally {
      source.close();
      await target.close();
    }
  } finally {
    unlock();
  }
}
