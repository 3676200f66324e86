// What a running reply has read of the pages it found: a take-over does not read them again. Kept as long as the log.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .createTable("source_texts")
    .addColumn("reply", int, (c) => c.notNull())
    .addColumn("cite_index", int, (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("source_texts_pk", ["reply", "cite_index"])
    .execute();
}
