// Indexes what was written without being indexed: a few messages at a time, each in a transaction of its own.
// None waits for the disk: what a power cut undoes still waits for being indexed.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Database } from "../../platform/database/database.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import type { Clock } from "../../ports/clock.ts";
import { addText, TITLE } from "./history-index-store.ts";
import { indexTitle, wordsOfMessage } from "./index-history.ts";
import { MESSAGE_BYTES } from "./history-search-store.ts";
import { findMessage } from "./message-store.ts";
import { lockSession, type SessionRow } from "./session-store.ts";
import { firstWaiting, isIndexed, messagesWaiting, nextWaiting, stopWaiting } from "./waiting-store.ts";

const MESSAGES_PER_STEP = 20;

/** Indexes all that waits. Others are served between the steps; what was done when the process ends stays done. */
export async function indexWaiting(db: Database, clock: Pick<Clock, "monotonic">): Promise<void> {
  await inSmallSteps(clock, MESSAGES_PER_STEP, (count) => indexSome(db, count));
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
  await inSmallSteps(clock, MESSAGES_PER_STEP, async (count) => {
    signal.throwIfAborted();
    return indexSome(db, count, sessionId);
  });
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
  if (after === TITLE) await indexOldTitle(db, session);
  const heads = await messagesWaiting(db.kysely, session.id, after, count);
  for (const { message_id: id, status, bytes } of heads) {
    // The end of a reply that runs is indexed with it.
    if (status !== "WIP" && bytes <= MESSAGE_BYTES) await indexOldMessage(db, session, id);
  }
  const last = heads.at(-1);
  await db.unsynced((q) =>
    last === undefined ? stopWaiting(q, session.id) : nextWaiting(q, session.id, last.message_id),
  );
  return true;
}

async function indexOldTitle(db: Database, { id, user_id: userId }: SessionRow): Promise<void> {
  await db.unsyncedTransaction(async (trx) => {
    const session = await lockSession(db, trx, userId, id);
    if (
      session === undefined ||
      session.title === null ||
      session.current_message_id === null ||
      (await isIndexed(trx, id, TITLE))
    )
      return;
    await indexTitle(db, trx, session, session.title);
  });
}

async function indexOldMessage(
  db: Database,
  { id: sessionId, user_id: userId }: SessionRow,
  messageId: number,
) {
  const row = await findMessage(db.kysely, sessionId, messageId);
  if (row === undefined) return;
  const words = await wordsOfMessage(JSON.parse(row.fragments) as Fragment[]);
  await db.unsyncedTransaction(async (trx) => {
    const session = await lockSession(db, trx, userId, sessionId);
    const isThere =
      session?.deleted_at === null && (await findMessage(trx, sessionId, messageId)) !== undefined;
    // One that was continued meanwhile has its newer words.
    if (!isThere || (await isIndexed(trx, sessionId, messageId))) return;
    await addText(db, trx, { userId, sessionId, messageId, at: row.inserted_at }, words);
  });
}
