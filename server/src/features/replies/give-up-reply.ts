// The end of a reply that cannot be written on: its log is damaged, or the database refuses what it says. Nothing may stay
// WIP for ever.
import { Fenced } from "../../platform/database/lease-table.ts";
import type { Logger } from "../../platform/logger.ts";
import { foldReply } from "../sessions/fold-reply.ts";
import { findMessage, markIncomplete, presentMessage } from "../sessions/message-store.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { lockSession, touchSession } from "../sessions/session-store.ts";
import { deleteLog, holdLease } from "../sessions/stream-log-store.ts";
import { readRun } from "./read-run.ts";
import type { FinishReason } from "./reply-events.ts";
import { createReplyWriter } from "./reply-writer.ts";
import {
  closeReply,
  endReply,
  isPassing,
  type SettleContext,
  settleQuota,
  settleReply,
} from "./settle-reply.ts";

export interface GiveUpContext extends SettleContext {
  log: Logger;
  /** Takes what the log has and the feed has not. */
  pull: (reply: number) => Promise<void>;
}

const FAILED: FinishReason = { kind: "failed", reason: "generation_err" };

/**
 * Ends the reply INCOMPLETE with all that is stored of it; where even that cannot be read or written, with what it was
 * before this run. Throws Fenced when the lease is not this process's, and DatabaseUnavailable.
 */
export async function giveUpReply(context: GiveUpContext, reply: ReplyRow, epoch: number): Promise<void> {
  try {
    await endFromLog(context, reply, epoch);
  } catch (error) {
    if (isPassing(error)) throw error;
    context.log.error(
      { err: error, reply: reply.id },
      "the log of a reply cannot be ended; the reply is left as it was before",
    );
    await abandon(context, reply, epoch);
  }
  // No commit of this process tells the readers.
  await context.pull(reply.id);
}

async function endFromLog(context: GiveUpContext, reply: ReplyRow, epoch: number): Promise<void> {
  const { db, clock } = context;
  const row = await findMessage(db.kysely, reply.session_id, reply.message_id);
  if (row === undefined) throw new Fenced(`the message of reply ${reply.id} is gone`);
  if (row.status !== "WIP") {
    // Only its title and close are missing (wire-contract.md §4.6 "Tail").
    const reason: FinishReason = row.status === "FINISHED" ? { kind: "finished" } : FAILED;
    await closeReply(context, { reply, epoch, reason, lastEventId: row.last_event_id, title: null });
    return;
  }
  const { state, groups } = await foldReply(db.kysely, reply, row);
  const { snapshotLogged, growingMs } = readRun(state, groups);
  const writer = createReplyWriter(state.message ?? presentMessage(row), snapshotLogged, growingMs, () =>
    clock.monotonic(),
  );
  await settleReply(context, {
    reply,
    epoch,
    reason: FAILED,
    state,
    pending: writer.beforeEnd(),
    producedMs: reply.produced_ms,
  });
}

async function abandon(context: GiveUpContext, reply: ReplyRow, epoch: number): Promise<void> {
  const { db, clock, owner, config } = context;
  await db.transaction(async (trx) => {
    const session = await lockSession(db, trx, reply.user_id, reply.session_id);
    if (session === undefined) throw new Fenced(`the session of reply ${reply.id} is gone`);
    await holdLease(db, trx, { reply: reply.id, owner, epoch });
    const now = clock.now();
    const row = await findMessage(trx, reply.session_id, reply.message_id);
    const message = row === undefined ? null : presentMessage(row);
    await touchSession(trx, reply.user_id, reply.session_id, now, { version: session.version + 1 });
    await settleQuota(trx, config.thinkingQuotaPerDay, reply, message, now);
    await markIncomplete(trx, reply.session_id, reply.message_id);
    await endReply(trx, reply, epoch, now);
    await deleteLog(trx, reply.id);
  });
}
