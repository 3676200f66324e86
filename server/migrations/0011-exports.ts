// Exports: the last one of each user, until another is begun. The zip itself is an object.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("exports")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("locale", "text", (c) => c.notNull())
    .addColumn("object_key", "text")
    .addColumn("bytes", int, (c) => c.notNull().defaultTo(0))
    .addColumn("sessions_done", int, (c) => c.notNull().defaultTo(0))
    .addColumn("sessions_total", int, (c) => c.notNull().defaultTo(0))
    .addColumn("requested_at", int, (c) => c.notNull())
    .addColumn("finished_at", int)
    .addColumn("removed_at", int)
    .execute();
  await db.schema.createIndex("exports_user").on("exports").column("user_id").execute();
  await sql`create index exports_kept on exports (finished_at) where object_key is not null`.execute(db);
}
