// The agents that users make for themselves.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("characters")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("greeting", "text")
    .addColumn("instructions", "text", (c) => c.notNull())
    .addColumn("avatar_text", "text", (c) => c.notNull())
    .addColumn("avatar_color", "text", (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("updated_at", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("characters_user")
    .on("characters")
    .columns(["user_id", "updated_at"])
    .execute();
}
