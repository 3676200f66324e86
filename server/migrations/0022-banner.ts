// The announcement on show: one row, or none.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("banner")
    .addColumn("place", "text", (c) => c.primaryKey())
    .addColumn("document", "text", (c) => c.notNull())
    .addColumn("set_at", int, (c) => c.notNull())
    .execute();
}
