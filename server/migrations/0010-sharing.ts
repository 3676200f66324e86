// Public links to snapshots of chosen messages, the chats that are being made of one, and files that have a text alone.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;

  await db.schema
    .createTable("shares")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("session_id", "text", (c) => c.notNull())
    .addColumn("shown_session_id", "text", (c) => c.notNull())
    .addColumn("title", "text")
    .addColumn("agent", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("state_at", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("shares_user").on("shares").columns(["user_id", "created_at"]).execute();
  await db.schema.createIndex("shares_session").on("shares").column("session_id").execute();
  await sql`create index shares_gone on shares (state_at) where state not in ('OPEN', 'DISABLED')`.execute(
    db,
  );

  await db.schema
    .createTable("share_messages")
    .addColumn("share_id", "text", (c) => c.notNull())
    .addColumn("message_id", int, (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("parent_id", int)
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("fragments", "text", (c) => c.notNull())
    .addColumn("files", "text", (c) => c.notNull())
    .addColumn("accumulated_token_usage", int, (c) => c.notNull())
    .addColumn("thinking_enabled", int, (c) => c.notNull())
    .addColumn("search_enabled", int, (c) => c.notNull())
    .addColumn("ban_regenerate", int, (c) => c.notNull())
    .addColumn("ban_edit", int, (c) => c.notNull())
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("inserted_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("share_messages_pk", ["share_id", "message_id"])
    .execute();
  await db.schema.createIndex("share_messages_user").on("share_messages").column("user_id").execute();

  await db.schema
    .createTable("share_files")
    .addColumn("share_id", "text", (c) => c.notNull())
    .addColumn("shown_id", "text", (c) => c.notNull())
    .addColumn("file_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("bytes", int, (c) => c.notNull())
    .addColumn("tokens", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("share_files_pk", ["share_id", "shown_id"])
    .execute();

  await db.schema
    .createTable("session_copies")
    .addColumn("session_id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("began_at", int, (c) => c.notNull())
    .execute();

  await db.schema
    .alterTable("files")
    .addColumn("from_share", int, (c) => c.notNull().defaultTo(0))
    .execute();
}
