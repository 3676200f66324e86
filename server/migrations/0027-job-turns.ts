// Accounts take turns: when the last job of an account began and how much its jobs took lately, by kind; and of a job, what it
// is expected to cost and whether it was broken off because others needed its place.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;

  for (const column of ["weight", "is_long"]) {
    await db.schema
      .alterTable("jobs")
      .addColumn(column, int, (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await db.schema
    .createTable("job_turns")
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("began_at", int, (c) => c.notNull())
    .addColumn("used_ms", int, (c) => c.notNull())
    .addColumn("used_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("job_turns_pk", ["user_id", "kind"])
    .execute();
  await db.schema.createIndex("job_turns_expiry").on("job_turns").column("began_at").execute();
}
