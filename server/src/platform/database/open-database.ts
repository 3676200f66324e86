// Chooses the engine by configuration and brings its schema up to date.
import type { Config } from "../../config.ts";
import type { Logger } from "../logger.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";

/**
 * PostgreSQL when DATABASE_URL is set, else SQLite in DATA_DIR. `exclusive` false opens an embedded database beside
 * a running server. Throws a StartError when the database cannot be used.
 */
export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  log: Logger,
  { exclusive = true }: { exclusive?: boolean } = {},
): Promise<Database> {
  const db =
    config.databaseUrl === null
      ? openSqlite({ dataDir: config.dataDir, log, exclusive })
      : await openPostgres({ url: config.databaseUrl, log });
  try {
    const applied = await migrate(db);
    if (applied.length > 0) log.info({ applied }, "database migrated");
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
