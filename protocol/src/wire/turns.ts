// What a user may ask of the model: send, regenerate, edit, continue (wire-contract.md §11.2–§11.5).
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { id, maybe, text, withDefault } from "./fields.ts";
import { ReplyRefusal, ResumeGotFullMessage, type FullMessage } from "./replies.ts";

/** Every number of the stream calls (wire-contract.md §18.2); 14 and 16 are reserved, 22 is a success (replies.ts). */
export const TurnRefusal = {
  ...ReplyRefusal,
  ParentMessageNotAssistant: { code: 2, msg: "PARENT_MESSAGE_NOT_ASSISTANT" },
  MaxMessageCountReached: { code: 3, msg: "MAX_MESSAGE_COUNT_REACHED" },
  RegenerateOnTemplateResponse: { code: 4, msg: "REGENERATE_ON_TEMPLATE_RESPONSE" },
  RegenerateNotAllowed: { code: 4, msg: "REGENERATE_NOT_ALLOWED" },
  /** With `{mute_until, is_muted: 1}` in biz_data. */
  UserIsMuted: { code: 5, msg: "USER_IS_MUTED" },
  EmptyPrompt: { code: 6, msg: "EMPTY_PROMPT" },
  InvalidFileReference: { code: 9, msg: "INVALID_FILE_REFERENCE" },
  SessionFileLimitReached: { code: 10, msg: "SESSION_FILE_LIMIT_REACHED" },
  LastMessageIsWip: { code: 11, msg: "LAST_MESSAGE_IS_WIP" },
  EditNotAllowed: { code: 12, msg: "EDIT_NOT_ALLOWED" },
  ThinkingWithFile: { code: 13, msg: "THINKING_WITH_FILE" },
  /** With a Quota in biz_data. */
  ThinkingQuotaExceeded: { code: 15, msg: "THINKING_QUOTA_EXCEEDED" },
  SearchWithFile: { code: 17, msg: "SEARCH_WITH_FILE" },
  ClientStreamIdReused: { code: 18, msg: "CLIENT_STREAM_ID_REUSED" },
  InvalidUnicode: { code: 19, msg: "INVALID_UNICODE" },
  CharacterNotAvailable: { code: 20, msg: "CHARACTER_NOT_AVAILABLE" },
  CharacterDeleted: { code: 20, msg: "CHARACTER_DELETED" },
  SearchNotWithCharacter: { code: 21, msg: "SEARCH_NOT_WITH_CHARACTER" },
  MessageIsNotLeaf: { code: 23, msg: "MESSAGE_IS_NOT_LEAF" },
  CurrentMessageLocked: { code: 24, msg: "CURRENT_MESSAGE_LOCKED" },
  ParentMessageLocked: { code: 25, msg: "PARENT_MESSAGE_LOCKED" },
  InvalidParentMessageId: { code: 26, msg: "INVALID_PARENT_MESSAGE_ID" },
  InvalidMessageId: { code: 26, msg: "INVALID_MESSAGE_ID" },
  /** `model` is no id of `settings.models`. */
  ModelNotAvailable: { code: 27, msg: "MODEL_NOT_AVAILABLE" },
  /** Messages above `known_last_message_id` are stored. */
  SessionHasNewerMessages: { code: 28, msg: "SESSION_HAS_NEWER_MESSAGES" },
} as const;

/** biz_data of TurnRefusal.UserIsMuted; unix seconds. */
export interface MuteData {
  mute_until: number;
  is_muted: 1;
}

/** Names the default model as an empty or absent id does; the first id of `settings.models`. */
export const DEFAULT_MODEL = "default";

/** How the model is asked. `model` is an id of `settings.models`; absent, null and "" mean the default one. */
const modes = {
  thinking_enabled: withDefault(z.boolean(), false),
  search_enabled: withDefault(z.boolean(), false),
  model: maybe(z.string()),
};
const clientStreamId = maybe(text(LIMITS.clientStreamIdChars));

/**
 * A blank prompt has a number of its own (6). `parent_message_id` null starts a new root. `known_last_message_id` is the
 * greatest message id of the session that the caller has seen.
 */
export const completion = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat/completion",
  proof: "user:completion_like",
  answers: "stream",
  request: z.object({
    chat_session_id: z.string(),
    parent_message_id: maybe(id),
    known_last_message_id: maybe(id),
    prompt: z.string(),
    ref_file_ids: withDefault(z.array(z.string()).check(z.maxLength(LIMITS.filesPerSession)), []),
    ...modes,
    client_stream_id: clientStreamId,
  }),
});

/** `child_message_id` is the reply to redo; the new one becomes its sibling. */
export const regenerate = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat/regenerate",
  proof: "user:completion_like",
  answers: "stream",
  request: z.object({
    chat_session_id: z.string(),
    child_message_id: id,
    ...modes,
    client_stream_id: clientStreamId,
  }),
});

/** `message_id` is the user message to replace; the new one keeps its parent and files. */
export const editMessage = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat/edit_message",
  proof: "user:completion_like",
  answers: "stream",
  request: z.object({
    chat_session_id: z.string(),
    message_id: id,
    prompt: z.string(),
    ...modes,
    client_stream_id: clientStreamId,
  }),
});

/** Goes on with an INCOMPLETE reply; with `fallback_to_resume` a running one is resumed, a finished one answered whole. */
export const continueMessage = defineCall<FullMessage>()({
  method: "POST",
  path: "/api/v0/chat/continue",
  answers: "stream",
  successCodes: [ResumeGotFullMessage.code],
  request: z.object({
    chat_session_id: z.string(),
    message_id: id,
    fallback_to_resume: withDefault(z.boolean(), false),
  }),
});
