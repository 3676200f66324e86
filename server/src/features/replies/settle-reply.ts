// The end of a reply, stored: one transaction for status, usage, quota, session and the
// end events. Title and close, which free the lease, come in a second one where a title may be waited for; every other end
// has them in the first, so that a reply that can be continued is never met in its tail (wire-contract.md §4.6, §17.1).
import type { Message } from "@plumb/protocol/conversation/message";
import { reduceReply, type ReplyState } from "@plumb/protocol/stream/reply-reducer";
import type { Quota, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { countTokens } from "../../platform/count-tokens.ts";
import type { Database, Trx } from "../../platform/database/database.ts";
import type { Locale } from "../../platform/http/request-context.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { readQuota, refundThinking } from "../guard/thinking-quota.ts";
import { deleteLease, lockLease } from "../sessions/lease-store.ts";
import { findMessage, loadMessages, storeReplyMessage } from "../sessions/message-store.ts";
import { type ReplyRow, updateReply } from "../sessions/reply-store.ts";
import { lockSession, type SessionRow, touchSession } from "../sessions/session-store.ts";
import { insertLogRow } from "../sessions/stream-log-store.ts";
import { LOG_CHANNEL } from "./group-commit.ts";
import type { ReplyContext } from "./reply-context.ts";
import { closeEvent, endEvents, type Outcome, updateSessionEvent } from "./reply-events.ts";
import { fallbackTitle } from "./title-step.ts";

/** Someone else holds the lease, or the session is gone: nothing was written. */
export class Fenced extends Error {}

export interface Settlement {
  reply: ReplyRow;
  epoch: number;
  outcome: Outcome;
  /** The fold of what is committed. */
  state: ReplyState;
  /** Not yet committed, in order; the settlement commits them with the end. */
  pending: StreamEvent[];
  hasFragment: boolean;
  nextFragmentId: number;
  producedMs: number;
}

/** A group that was committed: what feeds are told. */
export interface Committed {
  firstId: number;
  events: StreamEvent[];
}

type Context = Pick<ReplyContext, "db" | "ports" | "config" | "owner">;

/** First transaction; of a reply that did not finish the only one. Throws Fenced. Returns what was committed. */
export async function settleReply(context: Context, settlement: Settlement): Promise<Committed> {
  const { db, ports, config } = context;
  const { reply, epoch, state, outcome } = settlement;
  const locale = reply.locale as Locale;
  const firstId = state.lastEventId + 1;
  const words = fold(state, settlement.pending).message;
  const usage = await branchTokens(db, reply, words, config.model.contextTokens);
  const now = ports.clock.now();

  const events = await db.transaction(async (trx) => {
    const session = await holdLease(context, trx, reply, epoch);
    const quota = await settleQuota(trx, config.thinkingQuotaPerDay, reply, words, now);
    const all = [
      ...settlement.pending,
      ...endEvents(outcome, {
        usage,
        locale,
        hasFragment: settlement.hasFragment,
        nextFragmentId: settlement.nextFragmentId,
      }),
      updateSessionEvent(toSeconds(now), quota),
    ];
    if (outcome.kind !== "finished") {
      all.push(...(await writeTitle(trx, session, reply, outcome, null)), closeEvent(outcome));
    }
    await insertLogRow(trx, { reply: reply.id, epoch, firstId, at: now, events: all });
    const message = fold(state, all).message;
    if (message === null) throw new Error(`reply ${reply.id} has no message to settle`);
    await storeReplyMessage(trx, reply.session_id, message, firstId + all.length - 1);
    await touchSession(trx, reply.user_id, reply.session_id, now, await nextVersion(trx, reply.session_id));
    await updateReply(trx, reply.id, { produced_ms: settlement.producedMs });
    if (outcome.kind !== "finished") await free(trx, reply, epoch, now);
    await tell(db, trx, reply.id);
    return all;
  });
  return { firstId, events };
}

/** Second transaction: the title, if it is due, and `close`. `title` null = the first words of the prompt. */
export async function closeReply(
  context: Context,
  {
    reply,
    epoch,
    outcome,
    lastEventId,
    title,
  }: {
    reply: ReplyRow;
    epoch: number;
    outcome: Outcome;
    lastEventId: number;
    title: string | null;
  },
): Promise<Committed> {
  const { db, ports } = context;
  const firstId = lastEventId + 1;
  const now = ports.clock.now();
  const events = await db.transaction(async (trx) => {
    const session = await holdLease(context, trx, reply, epoch);
    const all = [...(await writeTitle(trx, session, reply, outcome, title)), closeEvent(outcome)];
    await insertLogRow(trx, { reply: reply.id, epoch, firstId, at: now, events: all });
    await trx
      .updateTable("messages")
      .set({ last_event_id: firstId + all.length - 1 })
      .where("session_id", "=", reply.session_id)
      .where("message_id", "=", reply.message_id)
      .execute();
    await free(trx, reply, epoch, now);
    await tell(db, trx, reply.id);
    return all;
  });
  return { firstId, events };
}

/** The title event and its row, when one is due (wire-contract.md §4.6 "Title"). `title` null = the first words of the prompt. */
async function writeTitle(
  trx: Trx,
  session: SessionRow,
  reply: ReplyRow,
  outcome: Outcome,
  title: string | null,
): Promise<StreamEvent[]> {
  if (session.title_type !== "WIP") return [];
  const content = title ?? fallbackTitle(await promptOf(trx, reply));
  if (content === "") return [];
  await trx
    .updateTable("sessions")
    .set({ title: content, title_type: outcome.kind === "finished" ? "SYSTEM" : "WIP" })
    .where("id", "=", reply.session_id)
    .execute();
  return [{ type: "title", data: { content } }];
}

async function free(trx: Trx, reply: ReplyRow, epoch: number, now: number): Promise<void> {
  await updateReply(trx, reply.id, { ended_at: now });
  await deleteLease(trx, reply.id, epoch);
}

/** True once the message has its end status: a settlement whose answer was lost had happened. */
export async function isSettled(db: Database, reply: ReplyRow): Promise<boolean> {
  const row = await findMessage(db.kysely, reply.session_id, reply.message_id);
  return row !== undefined && row.status !== "WIP";
}

/** Locks in the order session, lease: the same everywhere, so that no two transactions wait for each other. */
async function holdLease({ db, owner }: Context, trx: Trx, reply: ReplyRow, epoch: number) {
  const session = await lockSession(db, trx, reply.user_id, reply.session_id);
  const lease = await lockLease(db, trx, reply.id);
  if (
    session === undefined ||
    session.deleted_at !== null ||
    lease?.owner !== owner ||
    lease.epoch !== epoch
  ) {
    throw new Fenced(`reply ${reply.id} is no longer ours`);
  }
  return session;
}

async function nextVersion(trx: Trx, sessionId: string): Promise<{ version: number }> {
  const { version } = await trx
    .selectFrom("sessions")
    .select("version")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return { version: version + 1 };
}

/** A counted thinking reply without a word is given back (wire-contract.md §17.3). Null when the reply was not counted. */
async function settleQuota(
  trx: Trx,
  perDay: number,
  reply: ReplyRow,
  message: Message | null,
  now: number,
): Promise<Quota | null> {
  if (reply.quota_day === null) return null;
  const said = message?.fragments.some(
    (part) => (isFragment(part, "THINK") || isFragment(part, "RESPONSE")) && part.content !== "",
  );
  if (said !== true) {
    await refundThinking(trx, reply.user_id, reply.quota_day);
    await updateReply(trx, reply.id, { quota_day: null });
  }
  return readQuota(trx, perDay, reply.user_id, now);
}

/**
 * Tokens from the root to the reply: those of the request's branch and of the answer (wire-contract.md §3.3). An answer above
 * `atMost` is counted no further: no budget has room for it, and to count megabytes takes minutes.
 */
async function branchTokens(
  db: Database,
  reply: ReplyRow,
  message: Message | null,
  atMost: number,
): Promise<number> {
  const [request] = await loadMessages(db.kysely, reply.session_id, [reply.request_message_id]);
  const answer =
    message?.fragments.map((part) => (isFragment(part, "RESPONSE") ? part.content : "")).join("") ?? "";
  return (request?.accumulated_token_usage ?? 0) + (await countTokens(answer, atMost));
}

async function promptOf(trx: Trx, reply: ReplyRow): Promise<string> {
  const [request] = await loadMessages(trx, reply.session_id, [reply.request_message_id]);
  const [fragment] = request === undefined ? [] : (JSON.parse(request.fragments) as { content?: string }[]);
  return fragment?.content ?? "";
}

function fold(state: ReplyState, events: readonly StreamEvent[]): ReplyState {
  const first = state.lastEventId + 1;
  return events.reduce((folded, event, index) => reduceReply(folded, { ...event, id: first + index }), state);
}

async function tell(db: Database, trx: Trx, reply: number): Promise<void> {
  if (db.engine === "postgres") await db.notify(trx, LOG_CHANNEL, String(reply));
}
