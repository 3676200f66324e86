// Which model a person chose for a reply; '' = the default one, which every reply of before was written by.
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("messages")
    .addColumn("model", "text", (column) => column.notNull().defaultTo(""))
    .execute();
}
