// The index of one's history (wire-contract.md §19.5). Words are kept in blocks of at most some hundred texts of one user:
// the number of a block stands before each of its words. What was said before is indexed later, session by session.
import { type ColumnDefinitionBuilder, type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  const id = engine === "postgres" ? sql`bigint generated always as identity` : sql`integer`;
  // No number is given again: words of what is gone may still stand under it.
  const key = (c: ColumnDefinitionBuilder) =>
    engine === "postgres" ? c.primaryKey() : c.primaryKey().autoIncrement();
  await db.schema
    .createTable("history_blocks")
    .addColumn("id", id, key)
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("given", int, (c) => c.notNull())
    .addColumn("live", int, (c) => c.notNull())
    .addColumn("newest_at", int, (c) => c.notNull())
    .addColumn("oldest_at", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("history_blocks_user")
    .on("history_blocks")
    .columns(["user_id", "id"])
    .execute();

  let docs = db.schema
    .createTable("history_docs")
    .addColumn("id", id, key)
    .addColumn("block", int, (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("session_id", "text", (c) => c.notNull())
    .addColumn("message_id", int, (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull());
  if (engine === "postgres") docs = docs.addColumn("words", sql`tsvector`, (c) => c.notNull());
  await docs.execute();
  await db.schema
    .createIndex("history_docs_message")
    .on("history_docs")
    .columns(["session_id", "message_id"])
    .execute();
  await (engine === "postgres" ? postgresWords(db) : sqliteWords(db));

  await db.schema
    .createTable("history_waiting")
    .addColumn("session_id", "text", (c) => c.primaryKey())
    .addColumn("after_id", int, (c) => c.notNull())
    .execute();
  await sql`insert into history_waiting (session_id, after_id) select id, 0 from sessions where deleted_at is null`.execute(
    db,
  );
}

/** What was added last is looked through one by one: a short list, so that no search waits for it. */
async function postgresWords(db: Kysely<unknown>): Promise<void> {
  await sql`create index history_docs_words on history_docs using gin (words) with (gin_pending_list_limit = 256)`.execute(
    db,
  );
}

/** FTS5 forgets a text when it is told its words again; secure-delete takes them out of the index's pages at once. */
async function sqliteWords(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table history_words using fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii tokenchars _')`.execute(
    db,
  );
  await sql`insert into history_words (history_words, rank) values ('secure-delete', 1)`.execute(db);
  await sql`create table history_doc_words (doc integer primary key, words text not null)`.execute(db);
  await sql`create table history_gone (doc integer primary key, block integer not null)`.execute(db);
}
