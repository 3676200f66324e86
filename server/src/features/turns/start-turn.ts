// A turn: loaded once, decided purely, stored once, in one transaction.
import { createHash } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { Global } from "@plumb/protocol/wire/global-codes";
import { TurnRefusal } from "@plumb/protocol/wire/turns";
import { countTokens } from "../../platform/count-tokens.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { CurrentUser, Locale } from "../../platform/http/request-context.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import type { EarlyCall } from "../replies/early-call.ts";
import type { BegunReply, ReplyService } from "../replies/reply-service.ts";
import { findReplyByStream, type KnownReply } from "../sessions/reply-lookup-store.ts";
import { indexTitle, wordsOfText } from "../sessions/index-history.ts";
import { fileIdsOf } from "../sessions/message-store.ts";
import { countRunningReplies } from "../sessions/reply-store.ts";
import { planTurn } from "./plan-turn.ts";
import { decideTurn, type TurnRequest } from "./turn-rules.ts";
import type { TurnState } from "./turn-state.ts";
import { loadBranch, loadTurn, lockTurn, storeTurn, storeUsedIds } from "./turn-store.ts";

const RETRY_AFTER_SECS = 1;

export interface Turn {
  sessionId: string;
  user: CurrentUser;
  locale: Locale;
  request: TurnRequest;
  clientStreamId: string | null;
  /** The reply that a call with the same client_stream_id began, as far as it was known before the transaction. */
  known: KnownReply | null;
}

export type StartedTurn =
  | { kind: "begun"; begun: BegunReply }
  | { kind: "repeat"; known: KnownReply }
  /** The prompt alone is over the budget: said on the stream, nothing kept. */
  | { kind: "refused-prompt"; events: StreamEvent[] };

/** Throws Refusal and GlobalRefusal; then nothing was written. */
export async function startTurn(service: ReplyService, turn: Turn): Promise<StartedTurn> {
  const { db, config, ports, live, owner } = service.context;
  const { user, request } = turn;
  // First of all: what follows grows with the prompt.
  if (turn.known !== null) return repeatOf(turn.known, request);
  const promptTokens = await countPrompt(request, config.model.contextTokens);
  const promptWords = "prompt" in request && promptTokens !== null ? await wordsOfText(request.prompt) : [];
  let early: EarlyCall | null = null;
  const transaction = db.transaction(async (trx): Promise<StartedTurn> => {
    const session = await lockTurn(db, trx, user.id, turn.sessionId);
    const known =
      turn.clientStreamId === null
        ? null
        : await findReplyByStream(trx, user.id, session.id, turn.clientStreamId);
    if (known !== null) return repeatOf(known, request);
    // The replies of this process are being handed over: another one takes new turns (wire-contract.md §4.8).
    if (live.closing) throw new GlobalRefusal(Global.ServiceUnavailable, { retryAfter: RETRY_AFTER_SECS });
    const state = await loadTurn(db, trx, session, request);
    const decision = decideTurn(state, request, {
      maxMessages: config.maxMessagesPerSession,
      maxBytes: LIMITS.sessionBytes,
      searchAvailable: ports.search !== null,
      models: ports.model.offered().map(({ id }) => id),
    });
    if (!decision.ok) throw new Refusal(decision.refusal);
    const asked = decision.turn;
    const model = ports.model.info("model" in asked ? asked.model : "");
    const plan = planTurn(asked, {
      state,
      clientStreamId: turn.clientStreamId,
      fingerprint: fingerprintOf(request),
      locale: turn.locale,
      promptTokens,
      instructionTokens: await countInstructions(state),
      model: { name: model.name, contextTokens: Math.min(config.model.contextTokens, model.contextTokens) },
      now: ports.clock.now(),
    });
    if (plan.kind === "refused-prompt") {
      await storeUsedIds(trx, session, plan);
      return { kind: "refused-prompt", events: plan.events };
    }
    if (state.runningReplies >= config.concurrentReplies) throw tooManyReplies();
    const store = { db, owner, thinkingQuotaPerDay: config.thinkingQuotaPerDay, promptWords };
    const reply = await storeTurn(store, trx, plan);
    if (session.current_message_id === null && session.title !== null)
      await indexTitle(db, trx, session, session.title);
    const { epoch, message, branch, events, wantsTitle, decided } = plan;
    // Last of all: nothing but the commit can fail now. A prompt that is looked at first, or looked up, is not sent early,
    // nor one with texts of files, which are not read while the transaction waits.
    const isAsked = plan.kind === "new-reply" && decided === undefined && reply.search_enabled === 0;
    if (isAsked && ports.contentFilter === null) {
      const rows = await loadBranch(trx, plan);
      if (rows.every((row) => fileIdsOf(row).length === 0)) {
        early = await service.callEarly(reply, rows, message);
        await early.sent();
      }
    }
    return {
      kind: "begun",
      begun: {
        reply,
        epoch,
        row: message,
        branch,
        logged: events,
        wantsTitle,
        ...(decided === undefined ? {} : { decided }),
        early,
      },
    };
  });
  try {
    return await transaction;
  } catch (error) {
    (early as EarlyCall | null)?.abort();
    throw error;
  }
}

/** Throws 42902 while the user has as many running replies as are allowed. */
export async function refuseTooMany(q: Queryable, userId: string, limit: number): Promise<void> {
  if ((await countRunningReplies(q, userId)) >= limit) throw tooManyReplies();
}

function tooManyReplies(): GlobalRefusal {
  return new GlobalRefusal(Global.TooManyConcurrentRequests, { retryAfter: RETRY_AFTER_SECS });
}

/** Tokens of the prompt, counted little further than `atMost`; null when it has too many bytes to be counted at all. */
async function countPrompt(request: TurnRequest, atMost: number): Promise<number | null> {
  if (!("prompt" in request)) return 0;
  return isTooLong(request.prompt) ? null : countTokens(request.prompt, atMost);
}

/** Of a persona: what a user writes there takes from the budget as a prompt does. Our own few words do not. */
async function countInstructions({ session, agent }: TurnState): Promise<number> {
  return session.character_id === null ? 0 : countTokens(agent?.instructions ?? "");
}

function isTooLong(prompt: string): boolean {
  return Buffer.byteLength(prompt) > LIMITS.promptBytes;
}

/** Throws Refusal 18 where the id was used for another call, message or prompt. */
function repeatOf(known: KnownReply, request: TurnRequest): StartedTurn {
  // Such a prompt has begun no reply, and is not hashed to know it.
  const same =
    !("prompt" in request && isTooLong(request.prompt)) && known.reply.fingerprint === fingerprintOf(request);
  if (!same) throw new Refusal(TurnRefusal.ClientStreamIdReused);
  return { kind: "repeat", known };
}

/** What distinguishes the repeat of a call from the reuse of its id: the call, its message reference, its prompt and its files. */
function fingerprintOf(request: TurnRequest): string {
  const reference =
    request.kind === "completion"
      ? request.parentId
      : request.kind === "regenerate"
        ? request.childId
        : request.messageId;
  const prompt = "prompt" in request ? request.prompt : null;
  const files = "fileIds" in request && request.fileIds.length > 0 ? [request.fileIds] : [];
  return createHash("sha256")
    .update(JSON.stringify([request.kind, reference, prompt, ...files]))
    .digest("hex");
}
