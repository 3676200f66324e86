// Sessions: create, list, rename, delete, read (wire-contract.md §3.2, §10).
import * as z from "zod/mini";
import type { Message } from "../conversation/message.ts";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { id, maybe, seconds } from "./fields.ts";

export type TitleType = "WIP" | "SYSTEM" | "USER";

/** `seq_id` is raised to a new maximum per user on every update; times are unix seconds. */
export interface Session {
  id: string;
  seq_id: number;
  agent: string;
  character_id: string | null;
  model_type: string;
  title: string | null;
  title_type: TitleType;
  version: number;
  current_message_id: number | null;
  pinned: boolean;
  is_empty: boolean;
  route_id: null;
  inserted_at: number;
  updated_at: number;
}

/** The two answers, with one number, for a session that cannot be used. */
export const SessionRefusal = {
  IllegalChatSessionId: { code: 1, msg: "ILLEGAL_CHAT_SESSION_ID" },
  ChatSessionDeleted: { code: 1, msg: "CHAT_SESSION_DELETED" },
} as const;

export const CreateSessionRefusal = {
  CharacterNotAvailable: { code: 20, msg: "CHARACTER_NOT_AVAILABLE" },
} as const;

/** `ttl_seconds` is the life of an empty session. */
export const createSession = defineCall<Session & { chat_session: Session; ttl_seconds: number }>()({
  method: "POST",
  path: "/api/v0/chat_session/create",
  request: z.object({ character_id: maybe(z.string()), agent: maybe(z.string()) }),
});

export const FetchPageRefusal = {
  IllegalCount: { code: 1, msg: "ILLEGAL_COUNT" },
} as const;

export interface SessionPage {
  chat_sessions: Session[];
  has_more: boolean;
  /** With the first page alone: all that are pinned, in the same order; those of the page are in it too. */
  pinned_sessions?: Session[];
}

/** Greatest seq_id first; `before_seq_id` is exclusive, `lte_cursor.updated_at` inclusive. A count out of bounds is number 1. */
export const fetchSessionPage = defineCall<SessionPage>()({
  method: "GET",
  path: "/api/v0/chat_session/fetch_page",
  request: z.object({
    before_seq_id: maybe(id),
    count: maybe(id),
    "lte_cursor.updated_at": maybe(seconds),
  }),
});

export const UpdateTitleRefusal = {
  ...SessionRefusal,
  EmptyTitle: { code: 2, msg: "EMPTY_TITLE" },
  TitleTooLong: { code: 3, msg: "TITLE_TOO_LONG" },
} as const;

/** Blank and overlong titles have numbers of their own, so the schema lets them through. */
export const updateSessionTitle = defineCall<{ chat_session_updated_at: number; title: string }>()({
  method: "POST",
  path: "/api/v0/chat_session/update_title",
  request: z.object({ chat_session_id: z.string(), title: z.string() }),
});

export const UpdatePinnedRefusal = {
  ...SessionRefusal,
  TooManyPinned: { code: 2, msg: "TOO_MANY_PINNED" },
} as const;

/** Keeps a session on top of the list, or lets it go; nothing else of it changes (wire-contract.md §19.7). */
export const updateSessionPinned = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat_session/update_pinned",
  request: z.object({ chat_session_id: z.string(), pinned: z.boolean() }),
});

const oneOrMany = z
  .object({
    chat_session_id: maybe(z.string()),
    chat_session_ids: maybe(z.array(z.string()).check(z.maxLength(LIMITS.deleteSessionsMax))),
  })
  .check(
    z.refine((request) => request.chat_session_id !== null || request.chat_session_ids !== null, {
      path: ["chat_session_id"],
      error: "required",
    }),
  );

/** One id or a list; of a list number 1 is answered only when none was found. */
export const deleteSession = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat_session/delete",
  request: oneOrMany,
});

export const DeleteAllSessionsRefusal = {
  DeleteAllFailed: { code: 1, msg: "DELETE_ALL_FAILED" },
} as const;

export interface History {
  chat_session: Session;
  /** All branches by message_id; [] when `cache_valid`. */
  chat_messages: Message[];
  cache_valid: boolean;
  route_id: null;
}

export const historyMessages = defineCall<History>()({
  method: "GET",
  path: "/api/v0/chat/history_messages",
  request: z.object({ chat_session_id: z.string(), cache_version: maybe(id) }),
});
