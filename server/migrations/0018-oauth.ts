// Who signs in through somebody else: which of their people is which account, and what a sign-in that is under way knows.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("identities")
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("provider", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("picture", "text")
    .addColumn("locale", "text")
    .addColumn("email", "text")
    .addColumn("usage", "text")
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("used_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("identities_person", ["issuer", "subject"])
    .execute();
  // One account has one person of each provider.
  await db.schema
    .createIndex("identities_user")
    .on("identities")
    .columns(["user_id", "provider"])
    .unique()
    .execute();
  await db.schema
    .createTable("oauth_tickets")
    .addColumn("ticket_hash", "text", (c) => c.primaryKey())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("browser_hash", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("expires_at", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("oauth_tickets_expiry").on("oauth_tickets").column("expires_at").execute();
}
