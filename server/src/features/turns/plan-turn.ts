// Pure: what was decided about a turn → the rows and events to be stored, as data.
import type { RequestFragment } from "@plumb/protocol/conversation/fragment";
import { budgetOf, fitsBudget } from "@plumb/protocol/conversation/token-budget";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Locale } from "../../platform/http/request-context.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { branchTo } from "../replies/branch-to.ts";
import { type FinishReason, hintEvent, snapshotEvent, updateSessionEvent } from "../replies/reply-events.ts";
import { type MessageRow, presentMessage } from "../sessions/message-store.ts";
import type { NewReplyRow, ReplyRow } from "../sessions/reply-store.ts";
import type { SessionChange, SessionRow } from "../sessions/session-store.ts";
import type { DecidedTurn } from "./turn-rules.ts";
import type { TurnState } from "./turn-state.ts";

export interface PlanContext {
  state: TurnState;
  /** Of the call. */
  clientStreamId: string | null;
  fingerprint: string;
  locale: Locale;
  /** Tokens of the prompt; null when it has more bytes than any prompt may have. */
  promptTokens: number | null;
  /** Tokens of a persona's instructions, which every request of the session begins with; 0 without a persona. */
  instructionTokens: number;
  /** The model that answers. */
  model: { name: string; contextTokens: number };
  /** Wall clock, ms. */
  now: number;
}

/** What a run of a reply begins with. */
interface RunPlan {
  epoch: number;
  /** Ids of the messages from the root to the request. */
  branch: readonly number[];
  /** The first of them has the id `run_first_id` of the reply. */
  events: StreamEvent[];
  wantsTitle: boolean;
  /** The end is known before the model is asked. */
  decided: FinishReason | undefined;
}

export interface NewReplyPlan extends RunPlan {
  kind: "new-reply";
  session: SessionChange;
  /** Messages that the turn replaces. */
  remove: readonly number[];
  /** The request, where it is new. */
  request: MessageRow | null;
  message: MessageRow;
  /** `quota_day` is set when it is stored. */
  reply: NewReplyRow;
}

export interface ContinuationPlan extends RunPlan {
  kind: "continuation";
  session: SessionChange;
  /** The message as its new run begins. */
  message: MessageRow;
  reply: ReplyRow;
}

/** The prompt alone is over the budget: said on the stream, nothing kept but that its ids are used. */
export interface RefusedPromptPlan {
  kind: "refused-prompt";
  session: Pick<SessionRow, "last_message_id">;
  events: StreamEvent[];
}

export type TurnPlan = NewReplyPlan | ContinuationPlan | RefusedPromptPlan;

export function planTurn(decided: DecidedTurn, context: PlanContext): TurnPlan {
  if (decided.kind === "go-on") return planContinuation(decided, context);
  const { state, now, model, promptTokens, instructionTokens } = context;
  const { session } = state;
  const { modes } = decided;
  const budget = budgetOf(modes.search, model.contextTokens);
  const firstNewId = session.last_message_id + 1;
  const replyId = decided.kind === "ask" ? firstNewId + 1 : firstNewId;
  const requestId = decided.kind === "ask" ? firstNewId : decided.requestId;
  const startAt = (version: number): StreamEvent[] => [
    readyEvent(requestId, replyId),
    updateSessionEvent({ updatedAt: toSeconds(now), version }, null),
  ];

  const prompt = decided.kind === "ask" ? (promptTokens ?? Number.POSITIVE_INFINITY) : 0;
  const files = decided.kind === "ask" ? tokensOf(state, decided.fileIds) : 0;
  if (!fitsBudget({ branch: instructionTokens, prompt, files }, budget)) {
    const close: StreamEvent = { type: "close", data: { click_behavior: "none", auto_resume: false } };
    const events = [...startAt(session.version), hintEvent("input_exceeds_limit", context.locale), close];
    return { kind: "refused-prompt", session: { last_message_id: replyId }, events };
  }

  const above = decided.kind === "ask" ? decided.parentId : decided.requestId;
  const usage = usageOf(state, above) + prompt + files;
  const base = {
    session_id: session.id,
    user_id: session.user_id,
    thinking_enabled: modes.thinking ? 1 : 0,
    search_enabled: modes.search ? 1 : 0,
  };
  const message = {
    ...base,
    inserted_at: now,
    files: "[]",
    last_event_id: 0,
    stopped: 0,
    feedback: null,
    model: "",
    ban_edit: 0,
    ban_regenerate: 0,
  };
  const request: MessageRow | null =
    decided.kind === "answer"
      ? null
      : {
          ...message,
          message_id: requestId,
          parent_id: decided.parentId,
          role: "USER",
          files: JSON.stringify(decided.fileIds),
          status: "FINISHED",
          fragments: JSON.stringify([requestFragment(decided.prompt)]),
          accumulated_token_usage: Number.isFinite(usage) ? usage : null,
          client_stream_id: null,
        };
  return {
    kind: "new-reply",
    session: {
      current_message_id: replyId,
      last_message_id: replyId,
      version: session.version + 1,
      seq_id: state.seqId,
      updated_at: now,
    },
    remove: decided.remove,
    request,
    message: {
      ...message,
      message_id: replyId,
      parent_id: requestId,
      role: "ASSISTANT",
      status: "WIP",
      fragments: "[]",
      accumulated_token_usage: 0,
      model: decided.model,
      client_stream_id: context.clientStreamId,
    },
    reply: {
      ...base,
      message_id: replyId,
      request_message_id: requestId,
      client_stream_id: context.clientStreamId,
      fingerprint: context.fingerprint,
      agent: session.agent,
      purpose: state.agent?.purpose ?? null,
      instructions: state.agent?.instructions ?? null,
      model: model.name,
      locale: context.locale,
      quota_day: null,
      produced_ms: 0,
      run_first_id: 1,
      started_at: now,
      ended_at: null,
    },
    epoch: 1,
    branch: branchTo(
      request === null ? state.messages : [...state.messages, { message_id: requestId, parent_id: above }],
      requestId,
    ),
    events: startAt(session.version + 1),
    wantsTitle: session.title_type === "WIP",
    decided: instructionTokens + usage > budget ? { kind: "context_length" } : undefined,
  };
}

/** continue: INCOMPLETE → WIP on the same message; ids of events go on where they stood. */
function planContinuation(
  decided: Extract<DecidedTurn, { kind: "go-on" }>,
  { state, locale, now }: PlanContext,
): ContinuationPlan {
  const { session } = state;
  const { stopped } = decided;
  const stored = presentMessage({ ...stopped.row, stopped: 0 });
  const fragments = stored.fragments.filter((fragment) => fragment.type !== "TIP");
  const runFirstId = stopped.row.last_event_id + 1;
  return {
    kind: "continuation",
    session: {
      current_message_id: stored.message_id,
      last_message_id: session.last_message_id,
      version: session.version + 1,
      seq_id: state.seqId,
      updated_at: now,
    },
    message: {
      ...stopped.row,
      status: "WIP",
      fragments: JSON.stringify(fragments),
      accumulated_token_usage: 0,
      stopped: 0,
    },
    reply: {
      ...stopped.reply,
      // A reply of an older version was stored without them.
      purpose: stopped.reply.purpose ?? state.agent?.purpose ?? null,
      instructions: stopped.reply.instructions ?? state.agent?.instructions ?? null,
      locale,
      produced_ms: 0,
      run_first_id: runFirstId,
      started_at: now,
      ended_at: null,
    },
    // Above every epoch of the runs before, also when their log is gone: a writer that sleeps must not find its own again.
    epoch: Math.max(stopped.lastEpoch + 1, runFirstId),
    branch: branchTo(state.messages, decided.requestId),
    events: [
      readyEvent(decided.requestId, stored.message_id),
      updateSessionEvent({ updatedAt: toSeconds(now), version: session.version + 1 }, null),
      snapshotEvent({ ...stored, fragments }),
    ],
    wantsTitle: session.title_type === "WIP",
    decided: undefined,
  };
}

function requestFragment(prompt: string): RequestFragment {
  return { id: 1, type: "REQUEST", content: prompt };
}

function readyEvent(requestId: number, replyId: number): StreamEvent {
  return {
    type: "ready",
    data: { request_message_id: requestId, response_message_id: replyId, model_type: "default" },
  };
}

/** Tokens of the texts of these files. */
function tokensOf({ files }: TurnState, ids: readonly string[]): number {
  return files.filter(({ id }) => ids.includes(id)).reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Tokens of the branch that ends in the message; 0 for none. */
function usageOf({ messages }: TurnState, messageId: number | null): number {
  return messages.find((message) => message.message_id === messageId)?.usage ?? 0;
}
