// Imports: the last one of each user, and what was made of which conversation of elsewhere, so that none is taken in twice.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("imports")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("locale", "text", (c) => c.notNull())
    .addColumn("file_name", "text", (c) => c.notNull())
    .addColumn("kind", "text")
    .addColumn("sessions_total", int, (c) => c.notNull().defaultTo(0))
    .addColumn("sessions_done", int, (c) => c.notNull().defaultTo(0))
    .addColumn("sessions_skipped", int, (c) => c.notNull().defaultTo(0))
    .addColumn("skipped", "text", (c) => c.notNull().defaultTo("[]"))
    .addColumn("error", "text")
    .addColumn("kept_bytes", int, (c) => c.notNull().defaultTo(0))
    .addColumn("breaks", int, (c) => c.notNull().defaultTo(0))
    .addColumn("making", "text")
    .addColumn("oldest_at", int)
    .addColumn("requested_at", int, (c) => c.notNull())
    .addColumn("finished_at", int)
    .execute();
  await db.schema.createIndex("imports_user").on("imports").column("user_id").execute();
  await db.schema
    .createTable("imported")
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("import_id", "text")
    .addPrimaryKeyConstraint("imported_source", ["user_id", "source"])
    .execute();
  await db.schema.createIndex("imported_target").on("imported").column("target").execute();
}
