// What a reply began with: which model speaks for its agent, and what it is told first.
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("replies").addColumn("purpose", "text").execute();
  await db.schema.alterTable("replies").addColumn("instructions", "text").execute();
}
