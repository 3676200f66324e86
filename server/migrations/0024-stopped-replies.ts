// Which replies their reader has stopped: they are INCOMPLETE as those are that ended by themselves.
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("messages")
    .addColumn("stopped", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
