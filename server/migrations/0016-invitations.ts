// Invitations: whoever holds one signs up without a code.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("invitations")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("salt", "text")
    .addColumn("email", "text")
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("expires_at", int)
    .execute();
}
