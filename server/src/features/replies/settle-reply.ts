// The end of a reply, stored: one transaction for status, usage, quota, session and the
// end events. Title and close, which free the lease, come in a second one where a title may be waited for; every other end
// has them in the first, so that a reply that can be continued is never met in its tail (wire-contract.md §4.6, §17.1).
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { Quota, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { countTokens } from "../../platform/count-tokens.ts";
import { DatabaseUnavailable } from "../../platform/database/database-unavailable.ts";
import type { Database, Trx } from "../../platform/database/database.ts";
import { Fenced } from "../../platform/database/lease-table.ts";
import type { Locale } from "../../platform/http/request-context.ts";
import { toSeconds } from "../../platform/seconds.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RiskClassifier } from "../../ports/risk-classifier.ts";
import { lockUser } from "../accounts/user-store.ts";
import { riskTip } from "../moderation/risk-tips.ts";
import { readQuota, refundThinking } from "../guard/thinking-quota.ts";
import { indexMessage, indexTitle, wordsOfMessage } from "../sessions/index-history.ts";
import { loadMessages, statusesOf, storeLastEventId, storeReplyMessage } from "../sessions/message-store.ts";
import { type ReplyRow, updateReply } from "../sessions/reply-store.ts";
import { lockSession, type SessionRow, setTitle, touchSession } from "../sessions/session-store.ts";
import { appendHeld, deleteLease, holdLease } from "../sessions/stream-log-store.ts";
import {
  closeEvent,
  endEvents,
  type FinishReason,
  fragmentEvent,
  updateSessionEvent,
} from "./reply-events.ts";
import { nextFragmentId } from "./reply-size.ts";
import { titleWords } from "./request-words.ts";
import { fallbackTitle } from "./title-step.ts";

/** True for what is no fault of the reply: its lease is another's, or the database is away. */
export function isPassing(error: unknown): boolean {
  return error instanceof Fenced || error instanceof DatabaseUnavailable;
}

/** What storing an end takes. */
export interface SettleContext {
  db: Database;
  clock: Clock;
  /** This process, as leases name it. */
  owner: string;
  config: { thinkingQuotaPerDay: number; model: { contextTokens: number } };
  /** Says whether a tip stands under a finished answer; null: never. */
  classifier: RiskClassifier | null;
}

export interface Settlement {
  reply: ReplyRow;
  epoch: number;
  reason: FinishReason;
  /** The fold of what is committed. */
  state: ReplyState;
  /** Not yet committed, in order; the settlement commits them with the end. */
  pending: readonly StreamEvent[];
  /** Producing time of all runs, ms. */
  producedMs: number;
}

/** A group that was committed, for the feed. */
export interface Committed {
  firstId: number;
  events: StreamEvent[];
}

/** First transaction; of a reply that did not finish the only one. Throws Fenced. */
export async function settleReply(context: SettleContext, settlement: Settlement): Promise<Committed> {
  const { db, clock, config } = context;
  const { reply, epoch, state, reason } = settlement;
  const firstId = state.lastEventId + 1;
  const said = fold(state, settlement.pending).message;
  const answer = answerOf(said);
  const usage = await branchTokens(db, reply, answer, config.model.contextTokens);
  // With the end in one transaction: a reply that is taken over goes on below its answer, not below a tip.
  const tip = reason.kind === "finished" ? await tipEvents(context, reply, said, answer) : [];
  const pending = [...settlement.pending, ...tip];
  const ending = endEvents(reason, {
    usage,
    locale: reply.locale as Locale,
    hasFragment: (said?.fragments.length ?? 0) > 0,
    nextFragmentId: nextFragmentId(said),
  });
  const words = await wordsOfMessage(fold(state, [...pending, ...ending]).message?.fragments ?? []);
  const now = clock.now();

  const events = await db.transaction(async (trx) => {
    const session = await holdReply(context, trx, reply, epoch);
    // First of all that is the user's (user-store.ts, lockUser).
    await touchSession(trx, reply.user_id, reply.session_id, now, { version: session.version + 1 });
    const quota = await settleQuota(trx, config.thinkingQuotaPerDay, reply, said, now);
    const end = [
      ...ending,
      updateSessionEvent({ updatedAt: toSeconds(now), version: session.version + 1 }, quota),
    ];
    const closes = reason.kind !== "finished";
    if (closes) end.push(...(await writeTitle(db, trx, session, reply, reason, null)), closeEvent(reason));
    // A group of its own: who asks only for the end reads no words (replay-reply.ts).
    const group = { reply: reply.id, epoch, at: now };
    if (pending.length > 0) await appendHeld(db, trx, { ...group, firstId, events: pending });
    await appendHeld(db, trx, { ...group, firstId: firstId + pending.length, events: end });
    const all = [...pending, ...end];
    const message = fold(state, all).message;
    if (message === null) throw new Error(`reply ${reply.id} has no message to settle`);
    await storeReplyMessage(trx, reply.session_id, message, firstId + all.length - 1);
    const { user_id: userId, session_id: sessionId, message_id: messageId } = reply;
    const at = Math.round(message.inserted_at * 1000);
    await indexMessage(db, trx, { userId, sessionId, messageId, at }, words);
    await updateReply(trx, reply.id, { produced_ms: settlement.producedMs });
    if (closes) await endReply(trx, reply, epoch, now);
    return all;
  });
  return { firstId, events };
}

/** Second transaction: the title, if it is due, and `close`. `title` null = the first words of the prompt. */
export async function closeReply(
  context: SettleContext,
  closing: {
    reply: ReplyRow;
    epoch: number;
    reason: FinishReason;
    lastEventId: number;
    title: string | null;
  },
): Promise<Committed> {
  const { db, clock } = context;
  const { reply, epoch, reason } = closing;
  const firstId = closing.lastEventId + 1;
  const now = clock.now();
  const events = await db.transaction(async (trx) => {
    const session = await holdReply(context, trx, reply, epoch);
    const all = [...(await writeTitle(db, trx, session, reply, reason, closing.title)), closeEvent(reason)];
    await appendHeld(db, trx, { reply: reply.id, epoch, firstId, at: now, events: all });
    await storeLastEventId(trx, reply.session_id, reply.message_id, firstId + all.length - 1);
    await endReply(trx, reply, epoch, now);
    return all;
  });
  return { firstId, events };
}

/** True once the message has its end status: a settlement whose answer was lost had happened. */
export async function isSettled(db: Database, reply: ReplyRow): Promise<boolean> {
  const statuses = await statusesOf(db.kysely, reply.session_id, [reply.message_id]);
  const status = statuses.get(reply.message_id);
  return status !== undefined && status !== "WIP";
}

/** Marks the reply as closed and frees its lease. */
export async function endReply(trx: Trx, reply: ReplyRow, epoch: number, now: number): Promise<void> {
  await updateReply(trx, reply.id, { ended_at: now, log_kept_since: now });
  await deleteLease(trx, reply.id, epoch);
}

/**
 * Gives the quota of a counted thinking reply without a word back (wire-contract.md §17.3). Returns the quota as it is then; null
 * when the reply was not counted.
 */
export async function settleQuota(
  trx: Trx,
  perDay: number,
  reply: ReplyRow,
  message: Message | null,
  now: number,
): Promise<Quota | null> {
  if (reply.quota_day === null) return null;
  const hasWords = message?.fragments.some(
    (part) => (isFragment(part, "THINK") || isFragment(part, "RESPONSE")) && part.content !== "",
  );
  if (hasWords !== true) {
    await refundThinking(trx, reply.user_id, reply.quota_day);
    await updateReply(trx, reply.id, { quota_day: null });
  }
  return readQuota(trx, perDay, reply.user_id, now);
}

/** Locks session and lease, in this order. Throws Fenced when the session is gone or the lease is another's. */
async function holdReply(
  { db, owner }: SettleContext,
  trx: Trx,
  reply: ReplyRow,
  epoch: number,
): Promise<SessionRow> {
  const session = await lockSession(db, trx, reply.user_id, reply.session_id);
  if (session === undefined || session.deleted_at !== null) {
    throw new Fenced(`the session of reply ${reply.id} is gone`);
  }
  await holdLease(db, trx, { reply: reply.id, owner, epoch });
  return session;
}

/** The title event and its row, when one is due (wire-contract.md §4.6 "Title"). */
async function writeTitle(
  db: Database,
  trx: Trx,
  session: SessionRow,
  reply: ReplyRow,
  reason: FinishReason,
  title: string | null,
): Promise<StreamEvent[]> {
  if (session.title_type !== "WIP") return [];
  const content = title ?? fallbackTitle(await titleWords(trx, reply));
  if (content === "") return [];
  await setTitle(trx, reply.session_id, content, reason.kind === "finished" ? "SYSTEM" : "WIP");
  await lockUser(db, trx, session.user_id);
  await indexTitle(db, trx, session, content);
  return [{ type: "title", data: { content } }];
}

/**
 * Tokens from the root to the reply: those of the request's branch and of the answer (wire-contract.md §3.3). An answer above
 * `atMost` is counted no further: no budget has room for it, and to count megabytes takes minutes.
 */
async function branchTokens(db: Database, reply: ReplyRow, answer: string, atMost: number): Promise<number> {
  const [request] = await loadMessages(db.kysely, reply.session_id, [reply.request_message_id]);
  return (request?.accumulated_token_usage ?? 0) + (await countTokens(answer, atMost));
}

function answerOf(message: Message | null): string {
  return message?.fragments.map((part) => (isFragment(part, "RESPONSE") ? part.content : "")).join("") ?? "";
}

/** N(TIP), where the answer touches a risk (wire-contract.md §4.6). */
async function tipEvents(
  { classifier }: SettleContext,
  reply: ReplyRow,
  message: Message | null,
  answer: string,
): Promise<StreamEvent[]> {
  if (classifier === null || answer === "") return [];
  const tip = await riskTip(classifier, answer, reply.locale as Locale);
  return tip === null ? [] : [fragmentEvent({ ...tip, id: nextFragmentId(message) })];
}

function fold(state: ReplyState, events: readonly StreamEvent[]): ReplyState {
  const first = state.lastEventId + 1;
  return events.reduce((folded, event, index) => reduceReply(folded, { ...event, id: first + index }), state);
}
