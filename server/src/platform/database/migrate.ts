// Forward-only migrations: all that are missing, in one transaction, by one process at a time.
import { readdirSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import { StartError } from "../start-error.ts";
import type { Database } from "./database.ts";

type MigrationsTable = { schema_migrations: { name: string; applied_at: number } };

interface Migration {
  up(db: Kysely<unknown>, engine: Database["engine"]): Promise<void>;
}

const folder = new URL("../../../migrations/", import.meta.url);
/** An arbitrary number, the same for every replica. */
const advisoryLock = 7_586_213;

/**
 * Applies what is missing and returns the names of what it applied. A database that already has a migration this
 * version does not know throws a StartError and stays as it is.
 */
export async function migrate(db: Database): Promise<string[]> {
  const known = readdirSync(folder)
    .filter((file) => /^\d{4}-[\w-]+\.ts$/u.test(file))
    .map((file) => file.replace(/\.ts$/u, ""))
    .sort();
  return db.transaction(async (outer) => {
    const trx = outer.withTables<MigrationsTable>();
    if (db.engine === "postgres") await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(trx);
    await trx.schema
      .createTable("schema_migrations")
      .ifNotExists()
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("applied_at", "bigint", (column) => column.notNull())
      .execute();
    const rows = await trx.selectFrom("schema_migrations").select("name").execute();
    const applied = new Set(rows.map((row) => row.name));
    const unknown = [...applied].filter((name) => !known.includes(name)).sort();
    if (unknown.length > 0) {
      throw new StartError(
        `The database was written by a newer version (it has the migration ${unknown.join(", ")}, unknown here). ` +
          "Start that version, or restore a backup made by this one. Nothing was changed.",
      );
    }
    const missing = known.filter((name) => !applied.has(name));
    for (const name of missing) {
      const migration = (await import(new URL(`${name}.ts`, folder).href)) as Migration;
      await migration.up(trx as unknown as Kysely<unknown>, db.engine);
      await trx.insertInto("schema_migrations").values({ name, applied_at: db.nowMs }).execute();
    }
    return missing;
  });
}
