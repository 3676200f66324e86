// A user's chats as the contract says they are (wire-contract.md §3, §10, §17): plain data, changed by plain functions. It
// is written from the contract, and shares no rule with the server.
import type { Feedback } from "@plumb/protocol/conversation/message";
import { firstWordsTitle } from "@plumb/protocol/rules/title-rules";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** What the application under test is set to. */
export const MODELED = {
  maxMessages: 14,
  thinkingPerDay: 3,
  contextTokens: 60,
  offered: "small",
  madeTitle: "A title",
} as const;

const DAY_MS = 24 * 3_600_000;
const BEIJING_MS = 8 * 3_600_000;
const RETENTION_MS = 10 * 60_000;
const PRODUCING_MS = 10 * 60_000;
const EMPTY_LIFE_MS = DAY_MS;
const RUNNING_AT_ONCE = 2;

export interface ModelPart {
  type: "REQUEST" | "THINK" | "RESPONSE" | "TEMPLATE_RESPONSE";
  text: string;
}

export interface ModelMessage {
  id: number;
  parent: number | null;
  role: "USER" | "ASSISTANT";
  status: string;
  parts: ModelPart[];
  thinking: boolean;
  model: string;
  streamId: string | null;
  banEdit: boolean;
  banRegenerate: boolean;
  feedback: Feedback | null;
  usage: number | null;
  /** Of a reply, ms: when its run began, and when it ended. */
  startedAt: number;
  endedAt: number;
  /** The Beijing day that a thinking reply was counted on. */
  chargedDay: number | null;
  /** The model has said something in this run. */
  saidNow: boolean;
  /** It goes on with an answer: what it thinks before that is not shown again. */
  dropsThought: boolean;
}

export interface ModelSession {
  id: string;
  messages: ModelMessage[];
  lastId: number;
  version: number;
  current: number | null;
  title: string | null;
  titleType: "WIP" | "SYSTEM" | "USER";
  pinned: boolean;
  deleted: boolean;
  /** What turns answer since its agent is gone. */
  agentGone: "CHARACTER_NOT_AVAILABLE" | "CHARACTER_DELETED" | null;
  /** Its place in the list: greater is further up. */
  rank: number;
  updatedAt: number;
  /** What each client_stream_id was used for, by the reply that it began. */
  streams: Map<string, { call: string; reply: number }>;
}

export interface ChatModel {
  sessions: ModelSession[];
  /** Raised by every update of a session. */
  rank: number;
  nowMs: number;
  startMs: number;
  thinkingUsed: Map<number, number>;
  mutedUntil: number;
  /** As long as a run is about turns there are few. */
  mostSessions: number;
}

export function newChatModel(nowMs: number, mostSessions = 4): ChatModel {
  return {
    sessions: [],
    rank: 0,
    nowMs,
    startMs: nowMs,
    thinkingUsed: new Map(),
    mutedUntil: 0,
    mostSessions,
  };
}

export const liveSessions = (model: ChatModel): ModelSession[] =>
  model.sessions.filter((session) => !session.deleted);

export const messageOf = (
  session: Pick<ModelSession, "messages">,
  id: number | null,
): ModelMessage | undefined => session.messages.find((message) => message.id === id);

export const runningIn = (session: ModelSession): ModelMessage | undefined =>
  session.messages.find((message) => message.status === "WIP");

export const hasRoomToRun = (model: ChatModel): boolean =>
  liveSessions(model).filter((session) => runningIn(session) !== undefined).length < RUNNING_AT_ONCE;

export const isMuted = (model: ChatModel): boolean => model.mutedUntil > model.nowMs;

const today = ({ nowMs }: ChatModel): number => Math.floor((nowMs + BEIJING_MS) / DAY_MS);

export const thinkingUsed = (model: ChatModel): number => model.thinkingUsed.get(today(model)) ?? 0;

export const isKept = (model: ChatModel, reply: ModelMessage): boolean =>
  model.nowMs - reply.endedAt <= RETENTION_MS;

/** Whether it has produced for longer than a reply may. */
export const isTooLong = (model: ChatModel, reply: ModelMessage): boolean =>
  reply.status === "WIP" && model.nowMs - reply.startedAt > PRODUCING_MS;

/** A session without messages is forgotten after a day. */
export const isForgotten = (model: ChatModel, session: ModelSession): boolean =>
  !session.deleted && session.current === null && model.nowMs - session.updatedAt > EMPTY_LIFE_MS;

/** The session goes to the front of the list. */
export function touch(model: ChatModel, session: ModelSession): void {
  model.rank += 1;
  session.rank = model.rank;
  session.updatedAt = model.nowMs;
}

export function addSession(model: ChatModel, id: string): void {
  const session: ModelSession = {
    id,
    messages: [],
    lastId: 0,
    version: 0,
    current: null,
    title: null,
    titleType: "WIP",
    pinned: false,
    deleted: false,
    agentGone: null,
    rank: 0,
    updatedAt: 0,
    streams: new Map(),
  };
  touch(model, session);
  model.sessions.push(session);
}

export const tokensOf = (text: string): number => countTokens(text);

/** Tokens from the root to the message; no room is left below one that exceeded its length. */
export function usageTo(session: ModelSession, id: number | null): number {
  const message = messageOf(session, id);
  if (message === undefined) return 0;
  if (message.status === "CONTEXT_LENGTH_EXCEEDED") return Number.POSITIVE_INFINITY;
  return message.usage ?? Number.POSITIVE_INFINITY;
}

/** Adds what the model says to a running reply. */
export function say(reply: ModelMessage, type: "THINK" | "RESPONSE", text: string): void {
  if (type === "THINK" && reply.dropsThought) return;
  const last = reply.parts.at(-1);
  if (last?.type === type) last.text += text;
  else reply.parts.push({ type, text });
  reply.saidNow = true;
}

export type ReplyEnd =
  | "stop"
  | "length"
  | "filter"
  | "stopped"
  | "time-limit"
  | "unavailable"
  | "busy"
  | "rate_limited"
  | "stall"
  | "context_length";

/** The status with which a reply ends (wire-contract.md §4.6). */
function statusOf(end: ReplyEnd, hasWords: boolean): string {
  switch (end) {
    case "stop":
      return hasWords ? "FINISHED" : "INCOMPLETE";
    case "filter":
      return "CONTENT_FILTER";
    case "stall":
    case "time-limit":
      return "TIMEOUT";
    case "context_length":
      return "CONTEXT_LENGTH_EXCEEDED";
    default:
      return "INCOMPLETE";
  }
}

/** Ends a running reply: status, tokens, title, quota, place in the list (wire-contract.md §4.6, §17.3). */
export function endReply(
  model: ChatModel,
  session: ModelSession,
  reply: ModelMessage,
  end: ReplyEnd,
  templateText = "",
): void {
  const request = messageOf(session, reply.parent);
  const answer = reply.parts.flatMap(({ type, text }) => (type === "RESPONSE" ? [text] : [])).join("");
  reply.usage = (request?.usage ?? 0) + tokensOf(answer);
  reply.status = statusOf(end, reply.parts.length > 0);
  reply.endedAt = model.nowMs;
  if (reply.chargedDay !== null && reply.parts.length === 0) {
    model.thinkingUsed.set(reply.chargedDay, (model.thinkingUsed.get(reply.chargedDay) ?? 0) - 1);
    reply.chargedDay = null;
  }
  if (session.titleType === "WIP") {
    const made = reply.status === "FINISHED" && reply.saidNow ? MODELED.madeTitle : null;
    session.title = made ?? firstWordsTitle(request?.parts[0]?.text ?? "");
    session.titleType = reply.status === "FINISHED" ? "SYSTEM" : "WIP";
  }
  if (end === "filter") {
    reply.parts = [{ type: "TEMPLATE_RESPONSE", text: templateText }];
    reply.banRegenerate = true;
  }
  session.version += 1;
  touch(model, session);
}

/** Counts deep thinking on its Beijing day. */
export function charge(model: ChatModel, reply: ModelMessage): void {
  reply.chargedDay = today(model);
  model.thinkingUsed.set(reply.chargedDay, thinkingUsed(model) + 1);
}
