// A turn in the database: one read of all that the rules need, one write of what the plan says.
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import { branchUsage } from "@plumb/protocol/conversation/token-budget";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import type { Database, Trx } from "../../platform/database/database.ts";
import { findAgent } from "../agents/find-agent.ts";
import { attachFiles, lockFiles } from "../files/file-store.ts";
import { chargeThinking } from "../guard/thinking-quota.ts";
import { addText, removeTexts } from "../sessions/history-index-store.ts";
import {
  deleteMessages,
  fileIdsOf,
  findMessage,
  idsWithWords,
  insertMessages,
  listMessageHeads,
  loadMessages,
  type MessageHead,
  type MessageRow,
  presentMessage,
  storeContinuation,
} from "../sessions/message-store.ts";
import {
  countRunningReplies,
  deleteRepliesOf,
  findReplyOfMessage,
  insertReply,
  type ReplyRow,
  updateReply,
} from "../sessions/reply-store.ts";
import { requireSession } from "../sessions/session-of-caller.ts";
import { changeSession, lockSession, nextSeqId, type SessionRow } from "../sessions/session-store.ts";
import { acquireLease, appendHeld, findLease, lastEpoch } from "../sessions/stream-log-store.ts";
import type { ContinuationPlan, NewReplyPlan, TurnPlan } from "./plan-turn.ts";
import type { TurnRequest } from "./turn-rules.ts";
import type { StoppedReply, TurnMessage, TurnState } from "./turn-state.ts";

/** Fragments of more bytes than this are not read to know whether they hold words: a search may have found as much. */
const MOST_READ_BYTES = 64 * 1024;

/** Locks and returns the caller's session. Throws Refusal 1. */
export async function lockTurn(
  db: Database,
  trx: Trx,
  userId: string,
  sessionId: string,
): Promise<SessionRow> {
  return requireSession(await lockSession(db, trx, userId, sessionId));
}

/**
 * Reads what the rules need of a locked session. Takes the user's next seq_id at once: that holds the user, so that the
 * count of running replies cannot change before the transaction ends.
 */
export async function loadTurn(
  db: Database,
  trx: Trx,
  session: SessionRow,
  request: TurnRequest,
): Promise<TurnState> {
  const heads = await listMessageHeads(trx, session.id);
  const words = await loadWords(trx, heads, request);
  const files = await lockFiles(db, trx, session.user_id, filesAskedFor(heads, request));
  return {
    session,
    agent: await findAgent(trx, session.user_id, { agent: session.agent, characterId: session.character_id }),
    messages: heads.map((head) => turnMessage(head, words.get(head.message_id))),
    files,
    bytes: heads.reduce((sum, head) => sum + head.bytes, 0),
    seqId: await nextSeqId(trx, session.user_id),
    runningReplies: await countRunningReplies(trx, session.user_id),
    stopped: request.kind === "continue" ? await loadStopped(trx, session.id, request.messageId) : null,
  };
}

/** Ids of the files that the new message of a request would carry, each once. */
function filesAskedFor(heads: readonly MessageHead[], request: TurnRequest): readonly string[] {
  if (request.kind === "completion") return [...new Set(request.fileIds)];
  const edited = request.kind === "edit" ? request.messageId : null;
  const head = heads.find((one) => one.message_id === edited);
  return head === undefined ? [] : fileIdsOf(head);
}

/**
 * The fragments of messages where a rule asks what they hold: replies that did not finish, and the one to redo. Of great ones it
 * is known only where they hold no words.
 */
async function loadWords(
  trx: Trx,
  heads: readonly MessageHead[],
  request: TurnRequest,
): Promise<Map<number, Fragment[]>> {
  const isAsked = (head: MessageHead): boolean =>
    head.status !== "FINISHED" || (request.kind === "regenerate" && head.message_id === request.childId);
  const asked = heads.filter((head) => head.role === "ASSISTANT" && head.status !== "WIP" && isAsked(head));
  const [first] = asked;
  if (first === undefined) return new Map();
  const idsOf = (some: readonly MessageHead[]): number[] => some.map((head) => head.message_id);
  const small = idsOf(asked.filter(({ bytes }) => bytes <= MOST_READ_BYTES));
  const great = idsOf(asked.filter(({ bytes }) => bytes > MOST_READ_BYTES));
  const words = new Map<number, Fragment[]>();
  for (const row of await loadMessages(trx, first.session_id, small))
    words.set(row.message_id, presentMessage(row).fragments);
  const worded = await idsWithWords(trx, first.session_id, great);
  for (const id of great) if (!worded.has(id)) words.set(id, []);
  return words;
}

function turnMessage(head: MessageHead, fragments: readonly Fragment[] | undefined): TurnMessage {
  return {
    message_id: head.message_id,
    parent_id: head.parent_id,
    role: head.role,
    status: head.status,
    ban_regenerate: head.ban_regenerate === 1,
    ban_edit: head.ban_edit === 1,
    fileIds: fileIdsOf(head),
    isTemplate: fragments?.some((part) => isFragment(part, "TEMPLATE_RESPONSE")) ?? false,
    hasText: fragments?.some(hasWords) ?? true,
    usage: branchUsage({
      status: head.status as MessageStatus,
      accumulated_token_usage: head.accumulated_token_usage,
    }),
  };
}

function hasWords(fragment: Fragment): boolean {
  return (
    (isFragment(fragment, "THINK") ||
      isFragment(fragment, "RESPONSE") ||
      isFragment(fragment, "TEMPLATE_RESPONSE")) &&
    fragment.content !== ""
  );
}

async function loadStopped(trx: Trx, sessionId: string, messageId: number): Promise<StoppedReply | null> {
  const row = await findMessage(trx, sessionId, messageId);
  const reply = await findReplyOfMessage(trx, sessionId, messageId);
  if (row === undefined || reply === undefined) return null;
  const lease = await findLease(trx, reply.id);
  return { row, reply, inTail: lease !== undefined, lastEpoch: await lastEpoch(trx, reply.id) };
}

export interface StoreContext {
  db: Database;
  /** This process, as leases name it. */
  owner: string;
  thinkingQuotaPerDay: number;
  /** By which a new prompt is found. */
  promptWords: readonly string[];
}

/** Writes the plan and returns the reply as stored. Throws Refusal 15 when the day's thinking is used up. */
export async function storeTurn(
  context: StoreContext,
  trx: Trx,
  plan: NewReplyPlan | ContinuationPlan,
): Promise<ReplyRow> {
  return plan.kind === "new-reply" ? storeNewReply(context, trx, plan) : storeContinued(context, trx, plan);
}

/** The messages from the root down to the request of a new reply. */
export async function loadBranch(
  trx: Trx,
  { branch, request, message }: NewReplyPlan,
): Promise<MessageRow[]> {
  const stored = branch.filter((id) => id !== request?.message_id);
  const above = await loadMessages(trx, message.session_id, stored);
  return request === null ? above : [...above, request];
}

/** Marks the ids of a refused prompt as used. */
export async function storeUsedIds(
  trx: Trx,
  session: SessionRow,
  plan: Extract<TurnPlan, { kind: "refused-prompt" }>,
): Promise<void> {
  await changeSession(trx, session, { ...session, ...plan.session });
}

/** The day on which the reply counts as deep thinking, which it does once; null for one without. Throws Refusal 15. */
async function countedOn(
  { thinkingQuotaPerDay }: StoreContext,
  trx: Trx,
  reply: Pick<ReplyRow, "user_id" | "thinking_enabled" | "quota_day">,
  now: number,
): Promise<string | null> {
  if (reply.thinking_enabled === 0 || reply.quota_day !== null) return reply.quota_day;
  return chargeThinking(trx, thinkingQuotaPerDay, reply.user_id, now);
}

async function storeNewReply(context: StoreContext, trx: Trx, plan: NewReplyPlan): Promise<ReplyRow> {
  const { db, owner, promptWords } = context;
  const { message, request } = plan;
  const now = message.inserted_at;
  const quotaDay = await countedOn(context, trx, plan.reply, now);
  await deleteRepliesOf(db, trx, message.session_id, plan.remove);
  await deleteMessages(trx, message.session_id, plan.remove);
  await removeTexts(db, trx, { sessionId: message.session_id, messageIds: plan.remove });
  if (request !== null) {
    const { session_id: sessionId, user_id: userId } = request;
    await attachFiles(trx, { sessionId, userId, fileIds: fileIdsOf(request), now });
    await addText(db, trx, { sessionId, userId, messageId: request.message_id, at: now }, promptWords);
  }
  await insertMessages(trx, request === null ? [message] : [request, message]);
  await changeSession(trx, { id: message.session_id, user_id: message.user_id }, plan.session);
  const reply = await insertReply(trx, { ...plan.reply, quota_day: quotaDay });
  await openLog(db, trx, { reply, owner, epoch: plan.epoch, at: now, events: plan.events });
  return reply;
}

async function storeContinued(context: StoreContext, trx: Trx, plan: ContinuationPlan): Promise<ReplyRow> {
  const { db, owner } = context;
  const { message } = plan;
  // One whose thinking was given back, or that came from elsewhere, thinks now.
  const quotaDay = await countedOn(context, trx, plan.reply, plan.reply.started_at);
  const reply = { ...plan.reply, quota_day: quotaDay };
  await storeContinuation(trx, message);
  await changeSession(trx, { id: message.session_id, user_id: message.user_id }, plan.session);
  const { id, ...change } = reply;
  await updateReply(trx, id, { ...change, log_kept_since: null });
  await openLog(db, trx, { reply, owner, epoch: plan.epoch, at: reply.started_at, events: plan.events });
  return reply;
}

async function openLog(
  db: Database,
  trx: Trx,
  {
    reply,
    owner,
    epoch,
    at,
    events,
  }: { reply: ReplyRow; owner: string; epoch: number; at: number; events: NewReplyPlan["events"] },
): Promise<void> {
  await acquireLease(db, trx, { reply: reply.id, userId: reply.user_id, owner, epoch });
  await appendHeld(db, trx, { reply: reply.id, epoch, firstId: reply.run_first_id, at, events });
}
