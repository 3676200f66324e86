// Copies of shares by the name that their reader's page gave the request: a request that comes again makes no second one.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("share_forks")
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("share_id", "text", (c) => c.notNull())
    .addColumn("client_fork_id", "text", (c) => c.notNull())
    .addColumn("session_id", "text", (c) => c.notNull())
    .addColumn("expires_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("share_forks_request", ["user_id", "share_id", "client_fork_id"])
    .execute();
  await db.schema.createIndex("share_forks_session").on("share_forks").column("session_id").execute();
  await db.schema.createIndex("share_forks_expiry").on("share_forks").column("expires_at").execute();
}
