// Indexes what was written without being indexed: a few texts at a time, so many in one transaction as have few words.
// None waits for the disk: what a power cut undoes still waits for being indexed.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Database } from "../../platform/database/database.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import type { Clock } from "../../ports/clock.ts";
import { addText, TITLE } from "./history-index-store.ts";
import { wordsOfMessage, wordsOfTitle } from "./index-history.ts";
import { MESSAGE_BYTES } from "./history-search-store.ts";
import { findMessage } from "./message-store.ts";
import { lockSession, type SessionRow } from "./session-store.ts";
import {
  firstWaiting,
  indexedOf,
  messagesOf,
  messagesWaiting,
  nextWaiting,
  stopWaiting,
} from "./waiting-store.ts";

const MESSAGES_PER_STEP = 20;
/** Texts with more words than these together get transactions of their own: on SQLite all others wait for each. */
const WORDS_PER_TRANSACTION = 1000;
/** A step on PostgreSQL is mostly waiting for it, which holds up nobody here (ms). */
const POSTGRES_STEP_MS = 100;

/** Indexes all that waits. Others are served between the steps; what was done when the process ends stays done. */
export async function indexWaiting(db: Database, clock: Pick<Clock, "monotonic">): Promise<void> {
  await inSmallSteps(clock, stepsOf(db), (count) => indexSome(db, count));
}

/**
 * Indexes one session that waits, for whoever tells its user that it is there. Another may index it meanwhile: nothing is
 * indexed twice. Throws when `signal` is aborted; what is left is then done by the next `indexWaiting`.
 */
export async function indexWaitingSession(
  db: Database,
  clock: Pick<Clock, "monotonic">,
  { sessionId, signal }: { sessionId: string; signal: AbortSignal },
): Promise<void> {
  await inSmallSteps(clock, stepsOf(db), async (count) => {
    signal.throwIfAborted();
    return indexSome(db, count, sessionId);
  });
}

function stepsOf(db: Database): number | { most: number; goodMs: number } {
  if (db.engine === "sqlite") return MESSAGES_PER_STEP;
  return { most: MESSAGES_PER_STEP, goodMs: POSTGRES_STEP_MS };
}

interface WaitingText {
  /** TITLE for the title. */
  messageId: number;
  at: number;
  words: readonly string[];
}

/** Indexes at most `count` messages of a session that waits: of any, where none is named. False when none waits. */
async function indexSome(db: Database, count: number, sessionId?: string): Promise<boolean> {
  const waiting = await firstWaiting(db.kysely, sessionId);
  if (waiting === undefined) return false;
  const { session, after_id: after } = waiting;
  if (session === null || session.deleted_at !== null) {
    await db.unsynced((q) => stopWaiting(q, waiting.session_id));
    return true;
  }
  const heads = await messagesWaiting(db.kysely, session.id, after, count);
  let some: WaitingText[] = after === TITLE ? await titleOf(session) : [];
  for (const { message_id: id, status, bytes } of heads) {
    // The end of a reply that runs is indexed with it.
    if (status === "WIP" || bytes > MESSAGE_BYTES) continue;
    const row = await findMessage(db.kysely, session.id, id);
    if (row === undefined) continue;
    const words = await wordsOfMessage(JSON.parse(row.fragments) as Fragment[]);
    const sum = some.reduce((total, text) => total + text.words.length, words.length);
    if (sum > WORDS_PER_TRANSACTION && some.length > 0) {
      await addTexts(db, session, some);
      some = [];
    }
    some.push({ messageId: id, at: row.inserted_at, words });
  }
  await addTexts(db, session, some, heads.at(-1)?.message_id ?? "all");
  return true;
}

async function titleOf({
  title,
  current_message_id: current,
  inserted_at: at,
}: SessionRow): Promise<WaitingText[]> {
  if (title === null || current === null) return [];
  return [{ messageId: TITLE, at, words: await wordsOfTitle(title) }];
}

/** Adds texts of a session that are not indexed yet. `upTo`: the last message that was looked at for them. */
async function addTexts(
  db: Database,
  { id: sessionId, user_id: userId }: SessionRow,
  texts: readonly WaitingText[],
  upTo?: number | "all",
): Promise<void> {
  await db.unsyncedTransaction(async (trx) => {
    const session = texts.length === 0 ? undefined : await lockSession(db, trx, userId, sessionId);
    if (session?.deleted_at === null) {
      const ids = texts.map(({ messageId }) => messageId);
      // One that was continued meanwhile has its newer words, and so has a title that was changed.
      const indexed = await indexedOf(trx, sessionId, ids);
      const there = await messagesOf(trx, sessionId, ids);
      for (const { messageId, at, words } of texts) {
        const isThere = messageId === TITLE || there.has(messageId);
        if (isThere && !indexed.has(messageId))
          await addText(db, trx, { userId, sessionId, messageId, at }, words);
      }
    }
    if (upTo === "all") await stopWaiting(trx, sessionId);
    else if (upTo !== undefined) await nextWaiting(trx, sessionId, upTo);
  });
}
