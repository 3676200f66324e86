// Brings what is indexed of a session to the words by which this version finds texts (wire-contract.md §19.5). A text whose
// words are right stays as it is, so that this can end anywhere and be begun again. Others may write and delete meanwhile.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Database, Trx } from "../../platform/database/database.ts";
import type { Clock } from "../../ports/clock.ts";
import { lockUserIfThere } from "../accounts/user-store.ts";
import { forgetWords, hasWords, type IndexedText, TITLE } from "./history-index-store.ts";
import { MESSAGE_BYTES } from "./history-search-store.ts";
import { indexMessage, wordsOfMessage, wordsOfTitle } from "./index-history.ts";
import { findMessage } from "./message-store.ts";
import { lockSession, type SessionRow } from "./session-store.ts";
import { messagesWaiting } from "./waiting-store.ts";

const MESSAGES_PER_READ = 100;

export interface Reindexed {
  /** Texts that were looked at. */
  texts: number;
  /** Those that stand under other words now. */
  renewed: number;
}

/** A text with the words by which it is to be found. */
interface TextAsRead {
  messageId: number;
  at: number;
  words: readonly string[];
  /** Whether it is still what its words were made of; asked while nobody else can write to its session. */
  isSame(trx: Trx, session: SessionRow): Promise<boolean>;
}

/** After each text that was written the data is left to others for as long as that took: on SQLite all of them wait for it. */
export async function reindexSession(
  db: Database,
  clock: Pick<Clock, "monotonic" | "after">,
  session: SessionRow,
): Promise<Reindexed> {
  const counts = { texts: 0, renewed: 0 };
  for await (const text of textsOf(db, session)) {
    counts.texts += 1;
    const began = clock.monotonic();
    if (!(await renew(db, session, text))) continue;
    counts.renewed += 1;
    // As one comes, one goes: there may be no server that does it. PostgreSQL has no such rest.
    if (db.engine === "sqlite") await forgetWords(db, 1);
    await new Promise<void>((resolve) => clock.after(clock.monotonic() - began, resolve));
  }
  return counts;
}

/** Writes the words of a text, in a transaction of its own. False where they are right, or another has seen to them. */
async function renew(
  db: Database,
  { id: sessionId, user_id: userId }: SessionRow,
  { messageId, at, words, isSame }: TextAsRead,
): Promise<boolean> {
  const text: IndexedText = { userId, sessionId, messageId, at };
  if (await hasWords(db, text, words)) return false;
  return db.unsyncedTransaction(async (trx) => {
    const held = await lockSession(db, trx, userId, sessionId);
    // Whoever has changed or deleted it since it was read has seen to its words.
    if (held === undefined || held.deleted_at !== null || !(await isSame(trx, held))) return false;
    // Before the index (user-store.ts, lockUser).
    if (!(await lockUserIfThere(db, trx, userId))) return false;
    await indexMessage(db, trx, text, words);
    return true;
  });
}

/** The title and the messages of a session, as far as they can be found. */
async function* textsOf(db: Database, session: SessionRow): AsyncGenerator<TextAsRead> {
  const { title } = session;
  // One without messages is in no list; it is found from its first prompt on.
  if (title !== null && session.current_message_id !== null)
    yield {
      messageId: TITLE,
      at: session.inserted_at,
      words: await wordsOfTitle(title),
      isSame: async (_trx, held) => held.title === title,
    };
  for (let after = TITLE; ;) {
    const heads = await messagesWaiting(db.kysely, session.id, after, MESSAGES_PER_READ);
    for (const { message_id: id, status, bytes } of heads) {
      // The end of a reply that runs is indexed with it.
      if (status !== "WIP" && bytes <= MESSAGE_BYTES) yield* messageOf(db, session.id, id);
    }
    const last = heads.at(-1);
    if (last === undefined) return;
    after = last.message_id;
  }
}

async function* messageOf(db: Database, sessionId: string, messageId: number): AsyncGenerator<TextAsRead> {
  const row = await findMessage(db.kysely, sessionId, messageId);
  if (row === undefined) return;
  yield {
    messageId,
    at: row.inserted_at,
    words: await wordsOfMessage(JSON.parse(row.fragments) as Fragment[]),
    async isSame(trx) {
      const now = await findMessage(trx, sessionId, messageId);
      return now?.status === row.status && now.fragments === row.fragments;
    },
  };
}
