// A turn, stored: one transaction decides, writes the messages, the reply, its lease and the first events of its log.
import { createHash } from "node:crypto";
import type { RequestFragment } from "@plumb/protocol/conversation/fragment";
import { budgetOf, branchUsage, fitsBudget } from "@plumb/protocol/conversation/token-budget";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { Global } from "@plumb/protocol/wire/global-codes";
import { TurnRefusal } from "@plumb/protocol/wire/turns";
import { countTokens } from "../../platform/count-tokens.ts";
import type { Queryable, Trx } from "../../platform/database/database.ts";
import type { CurrentUser, Locale } from "../../platform/http/request-context.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { chargeThinking } from "../guard/thinking-quota.ts";
import { branchTo } from "../replies/branch-to.ts";
import { hintEvent, type FinishReason, snapshotEvent, updateSessionEvent } from "../replies/reply-events.ts";
import type { BegunReply } from "../replies/reply-service.ts";
import type { ReplyContext } from "../replies/reply-context.ts";
import {
  deleteMessages,
  findMessage,
  insertMessages,
  type MessageRow,
  presentMessage,
} from "../sessions/message-store.ts";
import {
  countRunningReplies,
  deleteRepliesOf,
  findReplyOfMessage,
  insertReply,
  updateReply,
} from "../sessions/reply-store.ts";
import { findReplyByStream, type KnownReply } from "../sessions/reply-lookup-store.ts";
import { requireSession } from "../sessions/session-of-caller.ts";
import { lockSession, type SessionRow, touchSession } from "../sessions/session-store.ts";
import { acquireLease, appendHeld, findLease } from "../sessions/stream-log-store.ts";
import { readConversation } from "./read-conversation.ts";
import { decideTurn, type TurnMessage, type TurnPlan, type TurnRequest } from "./turn-rules.ts";

const RETRY_AFTER_SECS = 1;
/** The one model on offer while the operator names no others (wire-contract.md §19.4). */
const DEFAULT_MODEL = "default";

export interface Turn {
  sessionId: string;
  user: CurrentUser;
  locale: Locale;
  request: TurnRequest;
  clientStreamId: string | null;
}

export type StartedTurn =
  | { kind: "begun"; begun: BegunReply }
  | { kind: "repeat"; known: KnownReply }
  /** The prompt alone is over the budget: said on the stream, nothing kept. */
  | { kind: "refused-prompt"; events: StreamEvent[] };

/** Throws Refusal and GlobalRefusal; then nothing was written. */
export async function startTurn(context: ReplyContext, turn: Turn): Promise<StartedTurn> {
  const { db, config } = context;
  const { user, request } = turn;
  const promptTokens =
    "prompt" in request ? await countTokens(request.prompt, config.model.contextTokens) : 0;
  return db.transaction(async (trx) => {
    const session = requireSession(await lockSession(db, trx, user.id, turn.sessionId));
    const repeated = await findRepeat(trx, session, turn);
    if (repeated !== null) return repeated;
    // The replies of this process are being handed over: another one takes new turns (wire-contract.md §4.8).
    if (context.live.closing)
      throw new GlobalRefusal(Global.ServiceUnavailable, { retryAfter: RETRY_AFTER_SECS });
    const conversation = await readConversation(trx, session.id, request);
    const decision = decideTurn(conversation, request, {
      maxMessages: config.maxMessagesPerSession,
      searchAvailable: false,
      models: [DEFAULT_MODEL],
    });
    if (!decision.ok) throw new Refusal(decision.refusal);
    return writeTurn(context, trx, { session, conversation, turn, plan: decision.plan, promptTokens });
  });
}

/** What tells the repeat of a call from the reuse of its id: the call, its message reference and its prompt. */
function fingerprintOf(request: TurnRequest): string {
  const reference =
    request.kind === "completion"
      ? request.parentId
      : request.kind === "regenerate"
        ? request.childId
        : request.messageId;
  const prompt = "prompt" in request ? request.prompt : null;
  return createHash("sha256")
    .update(JSON.stringify([request.kind, reference, prompt]))
    .digest("hex");
}

async function findRepeat(trx: Trx, session: SessionRow, turn: Turn): Promise<StartedTurn | null> {
  if (turn.clientStreamId === null) return null;
  const known = await findReplyByStream(trx, turn.user.id, session.id, turn.clientStreamId);
  if (known === null) return null;
  if (known.reply.fingerprint !== fingerprintOf(turn.request)) {
    throw new Refusal(TurnRefusal.ClientStreamIdReused);
  }
  return { kind: "repeat", known };
}

/** Throws 42902 while the user has as many running replies as are allowed. */
export async function refuseTooMany(trx: Queryable, userId: string, limit: number): Promise<void> {
  if ((await countRunningReplies(trx, userId)) >= limit) {
    throw new GlobalRefusal(Global.TooManyConcurrentRequests, { retryAfter: RETRY_AFTER_SECS });
  }
}

interface Decided<P extends TurnPlan> {
  session: SessionRow;
  /** The session's messages as they stood before the turn. */
  conversation: readonly TurnMessage[];
  turn: Turn;
  plan: P;
  promptTokens: number;
}

async function writeTurn(
  context: ReplyContext,
  trx: Trx,
  { session, conversation, turn, plan, promptTokens }: Decided<TurnPlan>,
): Promise<StartedTurn> {
  if (plan.kind === "go-on")
    return writeContinuation(context, trx, { session, conversation, turn, plan, promptTokens });
  const { db, ports, config, owner } = context;
  const { user, request } = turn;
  const now = ports.clock.now();
  const { modes } = plan;
  const budget = budgetOf(
    modes.search,
    Math.min(config.model.contextTokens, ports.model.info().contextTokens),
  );

  const firstNewId = session.last_message_id + 1;
  const replyId = plan.kind === "ask" ? firstNewId + 1 : firstNewId;
  const requestId = plan.kind === "ask" ? firstNewId : plan.requestId;
  const updatedAt = toSeconds(now);
  const ready: StreamEvent = {
    type: "ready",
    data: { request_message_id: requestId, response_message_id: replyId, model_type: "default" },
  };

  if (plan.kind === "ask" && !fitsBudget({ branch: 0, prompt: promptTokens, files: 0 }, budget)) {
    await trx
      .updateTable("sessions")
      .set({ last_message_id: replyId })
      .where("id", "=", session.id)
      .execute();
    const close: StreamEvent = { type: "close", data: { click_behavior: "none", auto_resume: false } };
    const events = [
      ready,
      updateSessionEvent(updatedAt, null),
      hintEvent("input_exceeds_limit", turn.locale),
      close,
    ];
    return { kind: "refused-prompt", events };
  }

  const quotaDay = modes.thinking
    ? await chargeThinking(trx, config.thinkingQuotaPerDay, user.id, now)
    : null;
  const base = {
    session_id: session.id,
    user_id: user.id,
    thinking_enabled: modes.thinking ? 1 : 0,
    search_enabled: modes.search ? 1 : 0,
    inserted_at: now,
    files: "[]",
    last_event_id: 0,
    feedback: null,
    ban_edit: 0,
    ban_regenerate: 0,
  };
  const rows: MessageRow[] = [];
  let usage: number;
  if (plan.kind === "ask") {
    usage = (await usageOf(trx, session.id, plan.parentId)) + promptTokens;
    const fragment: RequestFragment = { id: 1, type: "REQUEST", content: plan.prompt };
    rows.push({
      ...base,
      message_id: requestId,
      parent_id: plan.parentId,
      role: "USER",
      status: "FINISHED",
      fragments: JSON.stringify([fragment]),
      accumulated_token_usage: Number.isFinite(usage) ? usage : null,
      client_stream_id: null,
    });
  } else {
    usage = await usageOf(trx, session.id, plan.requestId);
  }
  const replyMessage: MessageRow = {
    ...base,
    message_id: replyId,
    parent_id: requestId,
    role: "ASSISTANT",
    status: "WIP",
    fragments: "[]",
    accumulated_token_usage: 0,
    client_stream_id: turn.clientStreamId,
  };
  rows.push(replyMessage);
  await deleteRepliesOf(db, trx, session.id, plan.remove);
  await deleteMessages(trx, session.id, plan.remove);
  await insertMessages(trx, rows);
  await touchSession(trx, user.id, session.id, now, {
    current_message_id: replyId,
    last_message_id: replyId,
    version: session.version + 1,
  });
  // Raising the user's counter has locked the user: from here on the count cannot change under us.
  await refuseTooMany(trx, user.id, config.concurrentReplies);
  const reply = await insertReply(trx, {
    user_id: user.id,
    session_id: session.id,
    message_id: replyId,
    request_message_id: requestId,
    client_stream_id: turn.clientStreamId,
    fingerprint: fingerprintOf(request),
    agent: session.agent,
    model: ports.model.info().name,
    thinking_enabled: base.thinking_enabled,
    search_enabled: base.search_enabled,
    locale: turn.locale,
    quota_day: quotaDay,
    produced_ms: 0,
    run_first_id: 1,
    started_at: now,
    ended_at: null,
  });
  await acquireLease(db, trx, { reply: reply.id, userId: user.id, owner, epoch: 1 });
  const logged = [ready, updateSessionEvent(updatedAt, null)];
  await appendHeld(db, trx, { reply: reply.id, epoch: 1, firstId: 1, at: now, events: logged });
  const decided: FinishReason | undefined = usage > budget ? { kind: "context_length" } : undefined;
  const above = plan.kind === "ask" ? [{ message_id: requestId, parent_id: plan.parentId }] : [];
  return {
    kind: "begun",
    begun: {
      reply,
      epoch: 1,
      row: replyMessage,
      branch: branchTo([...conversation, ...above], requestId),
      logged,
      wantsTitle: session.title_type === "WIP",
      ...(decided === undefined ? {} : { decided }),
    },
  };
}

/** Tokens of the branch that ends in the message; 0 for none. */
async function usageOf(trx: Trx, sessionId: string, messageId: number | null): Promise<number> {
  const row = messageId === null ? undefined : await findMessage(trx, sessionId, messageId);
  if (row === undefined) return 0;
  return branchUsage({
    status: row.status as MessageStatus,
    accumulated_token_usage: row.accumulated_token_usage,
  });
}

/** continue: INCOMPLETE → WIP on the same message; ids of events go on where they stood. */
async function writeContinuation(
  { db, ports, config, owner }: ReplyContext,
  trx: Trx,
  { session, conversation, turn, plan }: Decided<Extract<TurnPlan, { kind: "go-on" }>>,
): Promise<StartedTurn> {
  const { user } = turn;
  const now = ports.clock.now();
  const row = await findMessage(trx, session.id, plan.messageId);
  const known = await findReplyOfMessage(trx, session.id, plan.messageId);
  if (row === undefined || known === undefined) throw new Refusal(TurnRefusal.InvalidMessageId);
  const lease = await findLease(trx, known.id);
  // The tail of the run before is not over: its title and close are still to come.
  if (lease !== undefined) throw new Refusal(TurnRefusal.CurrentMessageLocked);
  await touchSession(trx, user.id, session.id, now, {
    current_message_id: plan.messageId,
    version: session.version + 1,
  });
  await refuseTooMany(trx, user.id, config.concurrentReplies);

  const message = presentMessage(row);
  const fragments = message.fragments.filter((fragment) => fragment.type !== "TIP");
  const runFirstId = row.last_event_id + 1;
  // Above every epoch of the runs before, also when their log is gone: a writer that sleeps must not find its own again.
  const epoch = Math.max((await lastEpoch(trx, known.id)) + 1, runFirstId);
  await trx
    .updateTable("messages")
    .set({ status: "WIP", fragments: JSON.stringify(fragments), accumulated_token_usage: 0 })
    .where("session_id", "=", session.id)
    .where("message_id", "=", plan.messageId)
    .execute();
  const change = {
    locale: turn.locale,
    produced_ms: 0,
    run_first_id: runFirstId,
    started_at: now,
    ended_at: null,
  };
  await updateReply(trx, known.id, change);
  await acquireLease(db, trx, { reply: known.id, userId: user.id, owner, epoch });
  const logged: StreamEvent[] = [
    {
      type: "ready",
      data: {
        request_message_id: plan.requestId,
        response_message_id: plan.messageId,
        model_type: "default",
      },
    },
    updateSessionEvent(toSeconds(now), null),
    snapshotEvent({ ...message, fragments }),
  ];
  await appendHeld(db, trx, { reply: known.id, epoch, firstId: runFirstId, at: now, events: logged });
  return {
    kind: "begun",
    begun: {
      reply: { ...known, ...change },
      epoch,
      row: { ...row, fragments: JSON.stringify(fragments), status: "WIP" },
      branch: branchTo(conversation, plan.requestId),
      logged,
      wantsTitle: session.title_type === "WIP",
    },
  };
}

/** The last epoch of a reply as far as its log is kept; 0 without one. */
async function lastEpoch(trx: Trx, reply: number): Promise<number> {
  const row = await trx
    .selectFrom("stream_log")
    .select(({ fn }) => fn.max("epoch").as("epoch"))
    .where("reply", "=", reply)
    .executeTakeFirst();
  return Number(row?.epoch ?? 0);
}
