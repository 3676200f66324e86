// Codes belong to who asked for them: several requesters may hold a live code for one target at once. The table is made anew,
// because the primary key changes; codes of the last ten minutes end with that, and can be asked for again.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema.dropTable("verification_codes").execute();
  await db.schema
    .createTable("verification_codes")
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("scenario", "text", (c) => c.notNull())
    .addColumn("requester", "text", (c) => c.notNull())
    .addColumn("network", "text", (c) => c.notNull())
    .addColumn("code_hash", "text", (c) => c.notNull())
    .addColumn("device_id", "text")
    .addColumn("tries", int, (c) => c.notNull().defaultTo(0))
    .addColumn("network_tries", int, (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("expires_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("verification_codes_pk", ["channel", "target", "scenario", "requester"])
    .execute();
  await db.schema
    .createIndex("verification_codes_expiry")
    .on("verification_codes")
    .column("expires_at")
    .execute();
}
