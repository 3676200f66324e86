// The first schema. Written once with Kysely's builder for SQLite and PostgreSQL.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  // 53-bit integers everywhere; SQLite's INTEGER is already 64 bits wide.
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  const serial = engine === "postgres" ? sql`bigserial` : sql`integer`;

  await db.schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.unique())
    .addColumn("mobile", "text", (c) => c.unique())
    .addColumn("area_code", "text")
    .addColumn("password_hash", "text")
    .addColumn("last_seq_id", int, (c) => c.notNull().defaultTo(0))
    .addColumn("training_allowed", int, (c) => c.notNull().defaultTo(0))
    .addColumn("muted_until", int)
    .addColumn("banned_at", int)
    .addColumn("under_review", int, (c) => c.notNull().defaultTo(0))
    .addColumn("need_birthday", int, (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", int, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable("login_tokens")
    .addColumn("token_hash", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("last_used_at", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("login_tokens_user").on("login_tokens").column("user_id").execute();

  await db.schema
    .createTable("verification_codes")
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("scenario", "text", (c) => c.notNull())
    .addColumn("code_hash", "text", (c) => c.notNull())
    .addColumn("device_id", "text")
    .addColumn("tries", int, (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("expires_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("verification_codes_pk", ["channel", "target", "scenario"])
    .execute();

  await db.schema
    .createTable("guest_challenges")
    .addColumn("salt", "text", (c) => c.primaryKey())
    .addColumn("challenge", "text", (c) => c.notNull())
    .addColumn("target_path", "text")
    .addColumn("expires_at", int, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable("used_proofs")
    .addColumn("signature", "text", (c) => c.primaryKey())
    .addColumn("expires_at", int, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable("rate_counters")
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("window_start", int, (c) => c.notNull())
    .addColumn("count", int, (c) => c.notNull())
    .addColumn("expires_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("rate_counters_pk", ["key", "window_start"])
    .execute();

  await db.schema
    .createTable("thinking_usage")
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("used", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("thinking_usage_pk", ["user_id", "day"])
    .execute();

  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("seq_id", int, (c) => c.notNull())
    .addColumn("agent", "text", (c) => c.notNull())
    .addColumn("character_id", "text")
    .addColumn("title", "text")
    .addColumn("title_type", "text", (c) => c.notNull())
    .addColumn("version", int, (c) => c.notNull())
    .addColumn("current_message_id", int)
    .addColumn("last_message_id", int, (c) => c.notNull())
    .addColumn("inserted_at", int, (c) => c.notNull())
    .addColumn("updated_at", int, (c) => c.notNull())
    .addColumn("deleted_at", int)
    .execute();
  await db.schema
    .createIndex("sessions_page")
    .unique()
    .on("sessions")
    .columns(["user_id", "seq_id"])
    .execute();

  await db.schema
    .createTable("messages")
    .addColumn("session_id", "text", (c) => c.notNull())
    .addColumn("message_id", int, (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("parent_id", int)
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("fragments", "text", (c) => c.notNull())
    .addColumn("files", "text", (c) => c.notNull())
    .addColumn("accumulated_token_usage", int)
    .addColumn("thinking_enabled", int, (c) => c.notNull())
    .addColumn("search_enabled", int, (c) => c.notNull())
    .addColumn("ban_regenerate", int, (c) => c.notNull().defaultTo(0))
    .addColumn("ban_edit", int, (c) => c.notNull().defaultTo(0))
    .addColumn("feedback", "text")
    .addColumn("inserted_at", int, (c) => c.notNull())
    .addColumn("client_stream_id", "text")
    .addColumn("last_event_id", int, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("messages_pk", ["session_id", "message_id"])
    .execute();

  await db.schema
    .createTable("replies")
    .addColumn("id", serial, (c) => (engine === "postgres" ? c.primaryKey() : c.primaryKey().autoIncrement()))
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("session_id", "text", (c) => c.notNull())
    .addColumn("message_id", int, (c) => c.notNull())
    .addColumn("request_message_id", int, (c) => c.notNull())
    .addColumn("client_stream_id", "text")
    .addColumn("fingerprint", "text")
    .addColumn("agent", "text", (c) => c.notNull())
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("thinking_enabled", int, (c) => c.notNull())
    .addColumn("search_enabled", int, (c) => c.notNull())
    .addColumn("locale", "text", (c) => c.notNull())
    .addColumn("quota_day", "text")
    .addColumn("produced_ms", int, (c) => c.notNull().defaultTo(0))
    .addColumn("run_first_id", int, (c) => c.notNull().defaultTo(1))
    .addColumn("started_at", int, (c) => c.notNull())
    .addColumn("ended_at", int)
    .execute();
  await db.schema
    .createIndex("replies_message")
    .unique()
    .on("replies")
    .columns(["session_id", "message_id"])
    .execute();
  await db.schema
    .createIndex("replies_stream")
    .unique()
    .on("replies")
    .columns(["session_id", "client_stream_id"])
    .execute();
  await db.schema.createIndex("replies_ended").on("replies").column("ended_at").execute();

  await db.schema
    .createTable("reply_lease")
    .addColumn("reply", int, (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("owner", "text", (c) => c.notNull())
    .addColumn("epoch", int, (c) => c.notNull())
    .addColumn("renewed_at", int, (c) => c.notNull())
    .addColumn("attempts", int, (c) => c.notNull().defaultTo(0))
    .addColumn("stop_requested", int, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("reply_lease_user").on("reply_lease").column("user_id").execute();

  await db.schema
    .createTable("stream_log")
    .addColumn("id", serial, (c) => (engine === "postgres" ? c.primaryKey() : c.primaryKey().autoIncrement()))
    .addColumn("reply", int, (c) => c.notNull())
    .addColumn("epoch", int, (c) => c.notNull())
    .addColumn("first_id", int, (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull())
    .addColumn("events", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("stream_log_reply")
    .unique()
    .on("stream_log")
    .columns(["reply", "first_id"])
    .execute();
}
