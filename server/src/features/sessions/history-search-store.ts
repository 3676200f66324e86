// What the index of the history answers, block by block, and the texts behind it.
import { sql } from "kysely";
import type { Database, Queryable } from "../../platform/database/database.ts";
import type { WordAsked } from "../../platform/words/search-query.ts";
import { markWord } from "./history-index-store.ts";
import { bytesOfFragments, type MessageRow } from "./message-store.ts";
import type { SessionRow } from "./session-store.ts";

/** A message of more bytes with its thoughts is not searched. */
export const MESSAGE_BYTES = 4 * 1024 * 1024;

/** A place in the order of texts, the newest first; of equal times the one that was indexed later. */
export interface Place {
  at: number;
  id: number;
}

export interface FoundText extends Place {
  session_id: string;
  message_id: number;
}

/** Blocks of the user with texts from `at` or before. */
export async function blocksOf(
  q: Queryable,
  userId: string,
  at: number,
): Promise<{ id: number; newest_at: number }[]> {
  return q
    .selectFrom("history_blocks")
    .select(["id", "newest_at"])
    .where("user_id", "=", userId)
    .where("oldest_at", "<=", at)
    .execute();
}

/** At most `count` texts of a block that the index has under all the words, behind `after`. */
export async function textsInBlock(
  db: Database,
  asked: { userId: string; block: number; words: readonly WordAsked[]; after: Place; count: number },
): Promise<FoundText[]> {
  const { userId, block, words, after, count } = asked;
  const behind = sql`(at < ${after.at} or (at = ${after.at} and id < ${after.id}))`;
  const columns = sql`id, session_id, message_id, at`;
  const rest = sql`user_id = ${userId} and ${behind} order by at desc, id desc limit ${count}`;
  const { rows } = await (
    db.engine === "postgres"
      ? sql<FoundText>`select ${columns} from history_docs where words @@ ${tsquery(block, words)}::tsquery and ${rest}`
      : sql<FoundText>`select ${columns} from history_docs where id in (select rowid from history_words where history_words match ${ftsQuery(block, words)}) and ${rest}`
  ).execute(db.kysely);
  return rows;
}

/** Words hold letters, numbers, marks and emoji alone, and the number of a block and "_": nothing to be escaped. */
function tsquery(block: number, words: readonly WordAsked[]): string {
  return words
    .map(({ word, isBeginning }) => `'${markWord(block, word)}'${isBeginning ? ":*" : ""}`)
    .join(" & ");
}

function ftsQuery(block: number, words: readonly WordAsked[]): string {
  return words
    .map(({ word, isBeginning }) => `"${markWord(block, word)}"${isBeginning ? " *" : ""}`)
    .join(" AND ");
}

export type FoundMessage = Pick<
  MessageRow,
  "session_id" | "message_id" | "role" | "fragments" | "inserted_at"
>;

/** The messages of these texts that are stored in at most `bytes`. */
export async function loadFound(
  q: Queryable,
  texts: readonly FoundText[],
  bytes: number,
): Promise<FoundMessage[]> {
  if (texts.length === 0) return [];
  const names = texts.map((text) => sql`(${text.session_id}, cast(${text.message_id} as bigint))`);
  return q
    .selectFrom("messages")
    .select(["session_id", "message_id", "role", "fragments", "inserted_at"])
    .where(sql<boolean>`(session_id, message_id) in (${valuesOf(names)})`)
    .where(bytesOfFragments, "<=", bytes)
    .execute();
}

/** SQLite takes a list of pairs as the rows of VALUES alone; PostgreSQL takes it so, too. */
function valuesOf(rows: readonly ReturnType<typeof sql>[]) {
  return sql`values ${sql.join(rows)}`;
}

/** Those of the user's sessions that are there. */
export async function loadSessions(
  q: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<SessionRow[]> {
  if (ids.length === 0) return [];
  return q
    .selectFrom("sessions")
    .selectAll()
    .where("id", "in", [...ids])
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .execute();
}
