// Uploaded files, which sessions use them, and jobs: work that outlives the process that began it.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;

  await db.schema
    .createTable("files")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("bytes", int, (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("error_code", int)
    .addColumn("tokens", int, (c) => c.notNull().defaultTo(0))
    .addColumn("text_bytes", int, (c) => c.notNull().defaultTo(0))
    .addColumn("thinking_enabled", int, (c) => c.notNull().defaultTo(0))
    .addColumn("inserted_at", int, (c) => c.notNull())
    .addColumn("updated_at", int, (c) => c.notNull())
    .addColumn("attached_at", int)
    .addColumn("removed_at", int)
    .execute();
  await sql`create index files_user on files (user_id) where removed_at is null`.execute(db);
  await sql`create index files_unattached on files (inserted_at)
    where attached_at is null and removed_at is null`.execute(db);

  await db.schema
    .createTable("session_files")
    .addColumn("session_id", "text", (c) => c.notNull())
    .addColumn("file_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("session_files_pk", ["session_id", "file_id"])
    .execute();
  await db.schema.createIndex("session_files_file").on("session_files").column("file_id").execute();

  await db.schema
    .createTable("jobs")
    .addColumn("subject", "text", (c) => c.primaryKey())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("owner", "text", (c) => c.notNull())
    .addColumn("epoch", int, (c) => c.notNull())
    .addColumn("attempts", int, (c) => c.notNull().defaultTo(0))
    .addColumn("renewed_at", int, (c) => c.notNull())
    .addColumn("due_at", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("jobs_due").on("jobs").columns(["kind", "due_at"]).execute();
  await db.schema.createIndex("jobs_user").on("jobs").columns(["user_id", "kind"]).execute();
}
