// What a turn must be answered, and what it leaves behind (wire-contract.md §11.2–§11.5, §17.1, §17.2).
import {
  charge,
  type ChatModel,
  hasRoomToRun,
  isKept,
  isMuted,
  liveSessions,
  messageOf,
  MODELED,
  type ModelMessage,
  type ModelSession,
  runningIn,
  thinkingUsed,
  tokensOf,
  touch,
  usageTo,
} from "./chat-model.ts";

interface Wishes {
  thinking: boolean;
  /** Null = none named. */
  model: string | null;
  streamId: string | null;
}

export type ModelTurn =
  | ({ kind: "completion"; parent: number | null; prompt: string; known: number | null } & Wishes)
  | ({ kind: "regenerate"; message: number } & Wishes)
  | ({ kind: "edit"; message: number; prompt: string } & Wishes)
  | { kind: "continue"; message: number; fallback: boolean };

/** A refusal as `biz_code` and `biz_msg`, or a global code. */
export interface ModelRefusal {
  code: number;
  msg: string;
}

export type TurnAnswer =
  | { kind: "refused"; refusal: ModelRefusal }
  | { kind: "global"; code: number }
  /** The prompt alone is too long: said on the stream, only its ids are used. */
  | { kind: "refused-prompt" }
  /** The stream of a reply that exists. */
  | { kind: "replay"; reply: ModelMessage }
  /** The whole message (22). */
  | { kind: "full"; reply: ModelMessage }
  | { kind: "begins" };

const tooMany: TurnAnswer = { kind: "global", code: 42902 };
const no = (code: number, msg: string): TurnAnswer => ({ kind: "refused", refusal: { code, msg } });

/** The refusal of a session that cannot be used; null for one that can. */
export function refuseSession(session: ModelSession | null): ModelRefusal | null {
  if (session === null) return { code: 1, msg: "ILLEGAL_CHAT_SESSION_ID" };
  return session.deleted ? { code: 1, msg: "CHAT_SESSION_DELETED" } : null;
}

const promptOf = (turn: ModelTurn): string | null => ("prompt" in turn ? turn.prompt : null);

/** By what the repeat of a call is told from another use of its id. */
function callOf(turn: ModelTurn): string {
  const about = turn.kind === "completion" ? turn.parent : turn.message;
  return JSON.stringify([turn.kind, about, promptOf(turn)]);
}

/** The answer to a turn; changes nothing. `session` null = unknown, malformed or another's. */
export function answerTurn(
  model: ChatModel,
  session: ModelSession | null,
  turn: ModelTurn,
  hasProof = true,
): TurnAnswer {
  const streamId = "streamId" in turn ? turn.streamId : null;
  const known = streamId === null || session?.deleted ? undefined : session?.streams.get(streamId);
  const mayRead = turn.kind === "continue" && turn.fallback;
  if (known === undefined && !mayRead) {
    if (!hasRoomToRun(model)) return tooMany;
    if (turn.kind !== "continue" && !hasProof) return { kind: "global", code: 40300 };
  }
  if (isMuted(model)) return no(5, "USER_IS_MUTED");
  const unusable = refuseSession(session);
  if (session === null || unusable !== null)
    return { kind: "refused", refusal: unusable ?? { code: 1, msg: "" } };
  if (known !== undefined) {
    const reply = messageOf(session, known.reply);
    if (known.call !== callOf(turn) || reply === undefined) return no(18, "CLIENT_STREAM_ID_REUSED");
    return { kind: "replay", reply };
  }
  if (turn.kind === "continue" && turn.fallback) {
    const reply = messageOf(session, turn.message);
    if (reply?.role === "ASSISTANT" && reply.status === "WIP") return { kind: "replay", reply };
    if (reply?.role === "ASSISTANT" && reply.status === "FINISHED") return { kind: "full", reply };
  }
  if (session.agentGone !== null) return no(20, session.agentGone);
  const refusal = refuseTurn(session, turn) ?? refuseWishes(model, turn);
  if (refusal !== null) return refusal;
  if (!hasRoomToRun(model)) return tooMany;
  const again = turn.kind === "continue" ? messageOf(session, turn.message) : undefined;
  const isOut = again !== undefined && isUncounted(again) && thinkingUsed(model) >= MODELED.thinkingPerDay;
  return isOut ? no(15, "THINKING_QUOTA_EXCEEDED") : { kind: "begins" };
}

/** Deep thinking that was given back (wire-contract.md §17.3). */
const isUncounted = ({ thinking, chargedDay }: ModelMessage): boolean => thinking && chargedDay === null;

function refuseTurn(session: ModelSession, turn: ModelTurn): TurnAnswer | null {
  switch (turn.kind) {
    case "completion":
      return refuseCompletion(session, turn);
    case "regenerate":
      return refuseRegenerate(session, turn);
    case "edit":
      return refuseEdit(session, turn);
    case "continue":
      return refuseContinue(session, turn);
  }
}

type Of<K extends ModelTurn["kind"]> = Extract<ModelTurn, { kind: K }>;

/** `dead`: what the turn takes the place of. */
const isFull = (session: ModelSession, more: number, dead: readonly ModelMessage[]): boolean =>
  session.messages.length - dead.length + more > MODELED.maxMessages;

function refuseCompletion(session: ModelSession, turn: Of<"completion">): TurnAnswer | null {
  const parent = messageOf(session, turn.parent);
  if (turn.parent !== null && parent === undefined) return no(26, "INVALID_PARENT_MESSAGE_ID");
  if (parent?.role === "USER") return no(2, "PARENT_MESSAGE_NOT_ASSISTANT");
  if (isFull(session, 2, deadRequests(session, turn.parent))) return no(3, "MAX_MESSAGE_COUNT_REACHED");
  const running = runningIn(session);
  if (running !== undefined)
    return running === parent ? no(25, "PARENT_MESSAGE_LOCKED") : no(11, "LAST_MESSAGE_IS_WIP");
  const { known } = turn;
  if (known !== null && session.messages.some(({ id }) => id > known))
    return no(28, "SESSION_HAS_NEWER_MESSAGES");
  return refusePrompt(turn.prompt);
}

function refuseRegenerate(session: ModelSession, turn: Of<"regenerate">): TurnAnswer | null {
  const reply = messageOf(session, turn.message);
  if (reply?.role !== "ASSISTANT") return no(26, "INVALID_MESSAGE_ID");
  const running = runningIn(session);
  if (running === reply) return no(24, "CURRENT_MESSAGE_LOCKED");
  if (running !== undefined)
    return running.parent === reply.parent ? no(25, "PARENT_MESSAGE_LOCKED") : no(11, "LAST_MESSAGE_IS_WIP");
  if (reply.parts.some(({ type }) => type === "TEMPLATE_RESPONSE"))
    return no(4, "REGENERATE_ON_TEMPLATE_RESPONSE");
  if (reply.banRegenerate || reply.status === "CONTEXT_LENGTH_EXCEEDED")
    return no(4, "REGENERATE_NOT_ALLOWED");
  return isFull(session, 1, deadReplies(session, reply.parent)) ? no(3, "MAX_MESSAGE_COUNT_REACHED") : null;
}

function refuseEdit(session: ModelSession, turn: Of<"edit">): TurnAnswer | null {
  const request = messageOf(session, turn.message);
  if (request?.role !== "USER") return no(26, "INVALID_MESSAGE_ID");
  if (request.banEdit) return no(12, "EDIT_NOT_ALLOWED");
  if (isFull(session, 2, deadRequests(session, request.parent))) return no(3, "MAX_MESSAGE_COUNT_REACHED");
  const running = runningIn(session);
  if (running !== undefined)
    return running.parent === request.id ? no(24, "CURRENT_MESSAGE_LOCKED") : no(11, "LAST_MESSAGE_IS_WIP");
  return refusePrompt(turn.prompt);
}

function refuseContinue(session: ModelSession, turn: Of<"continue">): TurnAnswer | null {
  const reply = messageOf(session, turn.message);
  if (reply?.role !== "ASSISTANT") return no(26, "INVALID_MESSAGE_ID");
  const hasChildren = session.messages.some(({ parent }) => parent === reply.id);
  if (hasChildren || (reply.status !== "INCOMPLETE" && reply.status !== "WIP"))
    return no(23, "MESSAGE_IS_NOT_LEAF");
  if (reply.status === "WIP") return no(24, "CURRENT_MESSAGE_LOCKED");
  return runningIn(session) === undefined ? null : no(11, "LAST_MESSAGE_IS_WIP");
}

function refusePrompt(prompt: string): TurnAnswer | null {
  if (prompt.includes("\0") || !prompt.isWellFormed()) return no(19, "INVALID_UNICODE");
  return prompt.replaceAll("\u200b", "").trim() === "" ? no(6, "EMPTY_PROMPT") : null;
}

function refuseWishes(model: ChatModel, turn: ModelTurn): TurnAnswer | null {
  if (turn.kind === "continue") return null;
  const wanted = turn.model ?? "";
  if (wanted !== "" && wanted !== "default" && wanted !== MODELED.offered)
    return no(27, "MODEL_NOT_AVAILABLE");
  if (tokensOf(promptOf(turn) ?? "") > MODELED.contextTokens) return { kind: "refused-prompt" };
  return turn.thinking && thinkingUsed(model) >= MODELED.thinkingPerDay
    ? no(15, "THINKING_QUOTA_EXCEEDED")
    : null;
}

/** What a turn that begins leaves: its messages, the removals of §17.2, the leaf. Returns the reply, and whether the model is asked. */
export function beginTurn(
  model: ChatModel,
  session: ModelSession,
  turn: ModelTurn,
): { reply: ModelMessage; asksModel: boolean } {
  const reply = turn.kind === "continue" ? goOn(model, session, turn.message) : answer(model, session, turn);
  session.current = reply.id;
  session.version += 1;
  touch(model, session);
  const asksModel = turn.kind === "continue" || usageTo(session, reply.parent) <= MODELED.contextTokens;
  return { reply, asksModel };
}

/** Ids that are used by a prompt that nothing is kept of. */
export function useIds(session: ModelSession): void {
  session.lastId += 2;
}

function goOn(model: ChatModel, session: ModelSession, id: number): ModelMessage {
  const reply = messageOf(session, id);
  if (reply === undefined) throw new Error(`the model has no message ${id}`);
  const dropsThought = reply.parts.some(({ type }) => type === "RESPONSE");
  if (isUncounted(reply)) charge(model, reply);
  return Object.assign(reply, {
    status: "WIP",
    usage: 0,
    startedAt: model.nowMs,
    saidNow: false,
    dropsThought,
  });
}

function answer(
  model: ChatModel,
  session: ModelSession,
  turn: Exclude<ModelTurn, { kind: "continue" }>,
): ModelMessage {
  const request = turn.kind === "regenerate" ? requestAbove(session, turn.message) : ask(session, turn);
  remove(session, deadReplies(session, request.id));
  const reply: ModelMessage = {
    ...blank(session, request.id),
    role: "ASSISTANT",
    status: "WIP",
    thinking: turn.thinking,
    model: turn.model === MODELED.offered ? turn.model : "",
    streamId: turn.streamId,
    startedAt: model.nowMs,
  };
  session.messages.push(reply);
  if (turn.thinking) charge(model, reply);
  if (turn.streamId !== null) session.streams.set(turn.streamId, { call: callOf(turn), reply: reply.id });
  return reply;
}

function requestAbove(session: ModelSession, replyId: number): ModelMessage {
  const request = messageOf(session, messageOf(session, replyId)?.parent ?? null);
  if (request === undefined) throw new Error(`the model has no message above ${replyId}`);
  return request;
}

function ask(session: ModelSession, turn: Of<"completion"> | Of<"edit">): ModelMessage {
  const parent =
    turn.kind === "completion" ? turn.parent : (messageOf(session, turn.message)?.parent ?? null);
  remove(session, deadRequests(session, parent));
  const usage = usageTo(session, parent) + tokensOf(turn.prompt);
  const request: ModelMessage = {
    ...blank(session, parent),
    parts: [{ type: "REQUEST", text: turn.prompt }],
    usage: Number.isFinite(usage) ? usage : null,
    thinking: turn.thinking,
  };
  session.messages.push(request);
  return request;
}

function blank(session: ModelSession, parent: number | null): ModelMessage {
  session.lastId += 1;
  return {
    id: session.lastId,
    parent,
    role: "USER",
    status: "FINISHED",
    parts: [],
    thinking: false,
    model: "",
    streamId: null,
    banEdit: false,
    banRegenerate: false,
    feedback: null,
    usage: 0,
    startedAt: 0,
    endedAt: 0,
    chargedDay: null,
    saidNow: false,
    dropsThought: false,
  };
}

/** An end other than FINISHED without any text; one that was answered under stays. */
const isDead = (session: ModelSession, message: ModelMessage): boolean =>
  message.role === "ASSISTANT" &&
  message.status !== "FINISHED" &&
  message.status !== "WIP" &&
  message.parts.length === 0 &&
  session.messages.every(({ parent }) => parent !== message.id);

const deadReplies = (session: ModelSession, request: number | null): ModelMessage[] =>
  session.messages.filter((message) => message.parent === request && isDead(session, message));

function deadRequests(session: ModelSession, parent: number | null): ModelMessage[] {
  const siblings = session.messages.filter((one) => one.role === "USER" && one.parent === parent);
  return siblings.flatMap((request) => {
    const replies = session.messages.filter((one) => one.parent === request.id);
    return replies.every((reply) => isDead(session, reply)) ? [request, ...replies] : [];
  });
}

/** With the messages goes what is known of their calls: a repeat of one is a first call again. */
function remove(session: ModelSession, messages: readonly ModelMessage[]): void {
  session.messages = session.messages.filter((one) => !messages.includes(one));
  for (const [streamId, { reply }] of session.streams) {
    if (messages.some(({ id }) => id === reply)) session.streams.delete(streamId);
  }
}

/** What a resume of a reply is answered (wire-contract.md §11.6). */
export function answerResume(model: ChatModel, session: ModelSession | null, message: number): TurnAnswer {
  const unusable = refuseSession(session);
  if (session === null || unusable !== null)
    return { kind: "refused", refusal: unusable ?? { code: 1, msg: "" } };
  const reply = messageOf(session, message);
  if (reply?.role !== "ASSISTANT") return no(7, "RESUME_MESSAGE_NOT_FOUND");
  if (reply.status === "WIP") return { kind: "replay", reply };
  return isKept(model, reply) ? { kind: "full", reply } : no(8, "RESUME_TIME_TOO_LONG");
}

/** The sessions as the list shows them, first one first. */
export const listed = (model: ChatModel): ModelSession[] =>
  liveSessions(model)
    .filter(({ current }) => current !== null)
    .sort((one, other) => other.rank - one.rank);
