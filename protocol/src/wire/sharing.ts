// Public links to chosen messages of a session: create, list, delete, read, continue as one's own (wire-contract.md §3.6, §13).
import * as z from "zod/mini";
import type { Message } from "../conversation/message.ts";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { id, maybe, seconds, text } from "./fields.ts";
import { FetchPageRefusal } from "./sessions.ts";

/** A row of the owner's list. `hint` is the title, "" without one; `created_at` unix seconds. */
export interface Share {
  share_id: string;
  created_at: number;
  chat_session_id: string;
  hint: string;
  /** How many are in it, each with its reply. */
  questions?: number;
  /** By the operator: until it is enabled again nobody can read or continue it. */
  disabled: boolean;
}

/** Numbers of create (wire-contract.md §18.8). */
export const CreateShareRefusal = {
  IllegalChatSessionId: { code: 1, msg: "ILLEGAL_CHAT_SESSION_ID" },
  ChatSessionDeleted: { code: 1, msg: "CHAT_SESSION_DELETED" },
  GetAccountInfoFailed: { code: 2, msg: "GET_ACCOUNT_INFO_FAILED" },
  UserIsBanned: { code: 3, msg: "USER_IS_BANNED" },
  UserIsMuted: { code: 4, msg: "USER_IS_MUTED" },
  SomeMessagesCannotBeShared: { code: 5, msg: "SOME_MESSAGES_CANNOT_BE_SHARED" },
  MessagesMustBeInPairs: { code: 6, msg: "MESSAGES_MUST_BE_IN_PAIRS" },
  TooManySharesForThisSession: { code: 7, msg: "TOO_MANY_SHARES_FOR_THIS_SESSION" },
  GenerateUniqueIdFailed: { code: 8, msg: "GENERATE_UNIQUE_ID_FAILED" },
  RateLimitReached: { code: 9, msg: "RATE_LIMIT_REACHED" },
  StorageQuotaExceeded: { code: 12, msg: "STORAGE_QUOTA_EXCEEDED" },
  Duplicate: { code: 10, msg: "DUPLICATE" },
  ShareTitleViolation: { code: 11, msg: "SHARE_TITLE_VIOLATION" },
} as const;

/**
 * An empty list is number 5, an id twice number 10: the schema lets both through. Without a `title`, or with one that shows
 * nothing, the share is called after the first chosen question (questionTitle in title-rules.ts).
 */
export const createShare = defineCall<{ share_id: string }>()({
  method: "POST",
  path: "/api/v0/share/create",
  request: z.object({
    chat_session_id: z.string(),
    message_ids: z.array(id).check(z.maxLength(LIMITS.shareMessagesMax)),
    title: maybe(text(LIMITS.titleChars)),
  }),
});

export const ListSharesRefusal = FetchPageRefusal;

/** Newest first. `lte_date` is inclusive, the `created_at` of the last row: rows equal to it come again. */
export const listShares = defineCall<{ shares: Share[] }>()({
  method: "GET",
  path: "/api/v0/share/list",
  request: z.object({ count: maybe(id), lte_date: maybe(seconds) }),
});

export const DeleteShareRefusal = {
  ShareNotFound: { code: 1, msg: "SHARE_NOT_FOUND" },
  /** The share is gone, and more than one row went: a success for the reader. */
  MultipleDeleted: { code: 2, msg: "MULTIPLE_DELETED" },
} as const;

export const deleteShare = defineCall<null>()({
  method: "POST",
  path: "/api/v0/share/delete",
  request: z.object({ share_id: z.string() }),
});

export const ShareContentRefusal = {
  ShareDoesNotExist: { code: 1, msg: "SHARE_DOES_NOT_EXIST" },
  ShareIsDeletedOrBanned: { code: 2, msg: "SHARE_IS_DELETED_OR_BANNED" },
  OriginalSessionDeleted: { code: 3, msg: "ORIGINAL_SESSION_DELETED" },
} as const;

/** `chat_session_id` is made up, and the same at every read. Messages are numbered from 1; a chain's first has no parent. */
export interface ShareContent {
  title: string;
  messages: Message[];
  share_id: string;
  created_at: number;
  chat_session_id: string;
  /** It is the caller's own; left out where not. */
  own?: true;
}

export const shareContent = defineCall<ShareContent>()({
  method: "GET",
  path: "/api/v0/share/content",
  auth: "optional",
  request: z.object({ share_id: z.string() }),
});

export const ForkShareRefusal = {
  ...ShareContentRefusal,
  UserIsMuted: { code: 4, msg: "USER_IS_MUTED" },
  StorageQuotaExceeded: { code: 6, msg: "STORAGE_QUOTA_EXCEEDED" },
  RateLimitReached: { code: 9, msg: "RATE_LIMIT_REACHED" },
} as const;

/** A new session of the caller's with the shared messages; the same one for a `client_fork_id` that comes again. */
export const forkShare = defineCall<{ chat_session_id: string }>()({
  method: "POST",
  path: "/api/v0/share/fork",
  request: z.object({ share_id: z.string(), client_fork_id: maybe(text(LIMITS.clientForkIdChars)) }),
});
