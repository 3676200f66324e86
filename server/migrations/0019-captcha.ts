// Slide puzzles that wait to be solved, and what was given for solved ones: good once.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("slide_captchas")
    .addColumn("id_hash", "text", (c) => c.primaryKey())
    .addColumn("x", int, (c) => c.notNull())
    .addColumn("tries", int, (c) => c.notNull())
    .addColumn("device_id", "text")
    .addColumn("expires_at", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("captcha_passes")
    .addColumn("rid_hash", "text", (c) => c.primaryKey())
    .addColumn("device_id", "text")
    .addColumn("expires_at", int, (c) => c.notNull())
    .execute();
  for (const table of ["slide_captchas", "captcha_passes"])
    await db.schema.createIndex(`${table}_expiry`).on(table).column("expires_at").execute();
}
