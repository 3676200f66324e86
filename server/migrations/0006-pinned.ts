// Which chats a user keeps on top of the list, and since when (ms). Few are: the index holds them alone.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("sessions").addColumn("pinned_at", "bigint").execute();
  await sql`create index sessions_pinned on sessions (user_id, seq_id) where pinned_at is not null`.execute(
    db,
  );
}
