// Chooses the engine by configuration and brings its schema up to date.
import type { Config } from "../../config.ts";
import type { Logger } from "../logger.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";

/**
 * PostgreSQL when DATABASE_URL is set, else SQLite in DATA_DIR. `exclusive` false opens an embedded database beside a
 * running server. `patient`: statements on PostgreSQL may take as long as they need, for work over all that is stored, which
 * no request waits for. Throws a StartError when the database cannot be used.
 */
export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  log: Logger,
  { exclusive = true, patient = false }: { exclusive?: boolean; patient?: boolean } = {},
): Promise<Database> {
  if (config.databaseUrl !== null) {
    // A migration, or waiting for that of another replica, may take longer than the time limit of statements.
    const migrating = await openPostgres({ url: config.databaseUrl, log, poolSize: 1, answerMs: null });
    try {
      await bringUpToDate(migrating, log);
    } finally {
      await migrating.close();
    }
    return openPostgres({ url: config.databaseUrl, log, ...(patient ? { answerMs: null } : {}) });
  }
  const db = openSqlite({ dataDir: config.dataDir, log, exclusive });
  try {
    await bringUpToDate(db, log);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function bringUpToDate(db: Database, log: Logger): Promise<void> {
  const applied = await migrate(db);
  if (applied.length > 0) log.info({ applied }, "database migrated");
}
