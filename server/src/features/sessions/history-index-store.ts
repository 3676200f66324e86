// The index of what can be searched. Texts of one user are gathered in blocks of at most 512, or as many as have some 512,000
// words: a word of the index is the block's number, "_" and the word. A question to one block has a bounded cost, whatever the
// user or all others have said: words that begin alike are gone through one by one.
import { sql } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import { ownTurn } from "../../platform/own-turn.ts";

const PLACES_PER_BLOCK = 512;
/** A text of more takes several places. */
const WORDS_PER_PLACE = 1000;
/** Words that FTS5 takes at a time: about a millisecond. Words are forgotten in the same portions. */
const WORDS_PER_STATEMENT = 1000;
/** The id of a session's title among its messages. */
export const TITLE = 0;

export interface IndexedText {
  userId: string;
  sessionId: string;
  /** TITLE for the title. */
  messageId: number;
  /** When it was said (ms). */
  at: number;
}

type PlacedText = IndexedText & { block: number };

const docRow = (value: <K extends keyof PlacedText>(name: K) => PlacedText[K]) => ({
  block: value("block"),
  user_id: value("userId"),
  session_id: value("sessionId"),
  message_id: value("messageId"),
  at: value("at"),
});
const insertDoc = preparedQuery<PlacedText, { id: number }>((q, value) =>
  q.insertInto("history_docs").values(docRow(value)).returning("id"),
);
/** On PostgreSQL the row has the words. */
const insertDocWithWords = preparedQuery<PlacedText & { words: readonly string[] }, unknown>((q, value) => {
  const row = { ...docRow(value), words: sql`array_to_tsvector(${value("words")}::text[])` };
  return q.insertInto("history_docs").values(row as ReturnType<typeof docRow>);
});

/** Adds a text that is not indexed yet. `words` as index-words.ts gives them; without any there is nothing to find. */
export async function addText(
  db: Database,
  trx: Trx,
  text: IndexedText,
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return;
  const block = await takePlaces(trx, { ...text, places: Math.ceil(words.length / WORDS_PER_PLACE) });
  const placed = { ...text, block };
  if (db.engine === "postgres") {
    await insertDocWithWords(trx, { ...placed, words: words.map((word) => markWord(block, word)) });
    return;
  }
  const [doc] = await insertDoc(trx, placed);
  if (doc === undefined) throw new Error("a text was not stored");
  await trx
    .insertInto("history_doc_words")
    .values({ doc: doc.id, words: words.join(" ") })
    .execute();
  for (const portion of portionsOf(block, words)) {
    await sql`insert into history_words (rowid, words) values (${doc.id}, ${portion})`.execute(trx);
    if (words.length > WORDS_PER_STATEMENT) await ownTurn();
  }
}

/** Whether the index has a text under these words and no others; without any it has no such text. */
export async function hasWords(
  db: Database,
  { sessionId, messageId }: Pick<IndexedText, "sessionId" | "messageId">,
  words: readonly string[],
): Promise<boolean> {
  const text = await db.kysely
    .selectFrom("history_docs")
    .select(["id", "block"])
    .where("session_id", "=", sessionId)
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  if (text === undefined) return words.length === 0;
  const { rows } = await (
    db.engine === "postgres"
      ? sql`select 1 from history_docs where id = ${text.id} and words = array_to_tsvector(${words.map((word) => markWord(text.block, word))}::text[])`
      : sql`select 1 from history_doc_words where doc = ${text.id} and words = ${words.join(" ")}`
  ).execute(db.kysely);
  return rows.length > 0;
}

/** Which texts are forgotten: messages of one session, or all of some. */
export type Forgotten =
  { sessionId: string; messageIds: readonly number[] } | { sessionIds: readonly string[] };

/** Nothing finds the texts any more. On SQLite their words wait in history_gone to be taken out of the index. */
export async function removeTexts(db: Database, q: Queryable, forgotten: Forgotten): Promise<void> {
  const names = "sessionIds" in forgotten ? forgotten.sessionIds : forgotten.messageIds;
  if (names.length === 0) return;
  const some =
    "sessionIds" in forgotten
      ? q.selectFrom("history_docs").where("session_id", "in", [...forgotten.sessionIds])
      : q
          .selectFrom("history_docs")
          .where("session_id", "=", forgotten.sessionId)
          .where("message_id", "in", [...forgotten.messageIds]);
  const texts = await some.select(["id", "block"]).orderBy("id").execute();
  for (let from = 0; from < texts.length; from += ROWS_PER_STATEMENT) {
    const part = texts.slice(from, from + ROWS_PER_STATEMENT);
    await q
      .deleteFrom("history_docs")
      .where(
        "id",
        "in",
        part.map(({ id }) => id),
      )
      .execute();
    if (db.engine === "sqlite") {
      await q
        .insertInto("history_gone")
        .values(part.map(({ id, block }) => ({ doc: id, block })))
        .execute();
    }
  }
  await leavePlaces(
    q,
    texts.map(({ block }) => block),
  );
}

const ROWS_PER_STATEMENT = 500;

type NextText = Pick<IndexedText, "userId" | "at"> & { places: number };

/** Of the last block, if it has room for one more text. */
const takePlacesInLast = preparedQuery<NextText, { id: number }>((q, value) => {
  const last = q
    .selectFrom("history_blocks")
    .select("id")
    .where("user_id", "=", value("userId"))
    .orderBy("id", "desc")
    .limit(1);
  const at = value("at");
  return q
    .updateTable("history_blocks")
    .set({
      given: sql`given + cast(${value("places")} as integer)`,
      live: sql`live + 1`,
      newest_at: sql`case when newest_at < ${at} then ${at} else newest_at end`,
      oldest_at: sql`case when oldest_at > ${at} then ${at} else oldest_at end`,
    })
    .where("id", "=", last)
    .where("given", "<", PLACES_PER_BLOCK)
    .returning("id");
});

/** The block of the next text of a user: the last one, or a new one. It is held until the transaction ends. */
async function takePlaces(trx: Trx, { userId, at, places }: NextText): Promise<number> {
  const [taken] = await takePlacesInLast(trx, { userId, at, places });
  if (taken !== undefined) return taken.id;
  const { id } = await trx
    .insertInto("history_blocks")
    .values({ user_id: userId, given: places, live: 1, newest_at: at, oldest_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Blocks are held in the order of their numbers, so that no two transactions wait for each other. */
async function leavePlaces(q: Queryable, blocks: readonly number[]): Promise<void> {
  const counts = new Map<number, number>();
  for (const block of blocks) counts.set(block, (counts.get(block) ?? 0) + 1);
  for (const [block, count] of [...counts].sort(([a], [b]) => a - b)) {
    await q
      .updateTable("history_blocks")
      .set({ live: sql`live - ${count}` })
      .where("id", "=", block)
      .execute();
    await q.deleteFrom("history_blocks").where("id", "=", block).where("live", "<=", 0).execute();
  }
}

/** Takes the words of at most `count` forgotten texts out of SQLite's index. Returns how many it found. */
export async function forgetWords(db: Database, count: number): Promise<number> {
  return db.transaction(async (trx) => {
    const gone = await trx
      .selectFrom("history_gone")
      .innerJoin("history_doc_words", "history_doc_words.doc", "history_gone.doc")
      .select(["history_gone.doc", "history_gone.block", "history_doc_words.words"])
      .limit(count)
      .execute();
    for (const { doc, block, words } of gone) {
      const all = words.split(" ");
      for (const portion of portionsOf(block, all)) {
        await sql`insert into history_words (history_words, rowid, words) values ('delete', ${doc}, ${portion})`.execute(
          trx,
        );
        if (all.length > WORDS_PER_STATEMENT) await ownTurn();
      }
      await trx.deleteFrom("history_doc_words").where("doc", "=", doc).execute();
      await trx.deleteFrom("history_gone").where("doc", "=", doc).execute();
    }
    return gone.length;
  });
}

function* portionsOf(block: number, words: readonly string[]): Generator<string> {
  for (let from = 0; from < words.length; from += WORDS_PER_STATEMENT) {
    const portion = words.slice(from, from + WORDS_PER_STATEMENT);
    yield portion.map((word) => markWord(block, word)).join(" ");
  }
}

/** A word as the index has it. Words have no signs, so that the first "_" ends the number. */
export function markWord(block: number, word: string): string {
  return `${block.toString(36)}_${word}`;
}
