// What is purged is found by itself, whatever has piled up beside it: partial indexes hold only that.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema.alterTable("replies").addColumn("log_kept_since", int).execute();
  await sql`update replies set log_kept_since = ended_at
    where ended_at is not null and id in (select reply from stream_log)`.execute(db);
  await db.schema.dropIndex("replies_ended").execute();
  await sql`create index replies_log_kept on replies (log_kept_since) where log_kept_since is not null`.execute(
    db,
  );
  await sql`create index sessions_empty on sessions (updated_at)
    where current_message_id is null and deleted_at is null`.execute(db);
  await sql`create index sessions_deleted on sessions (deleted_at) where deleted_at is not null`.execute(db);
}
