// The columns of messages, and of their copies in shares, told once.
import type { MessagesTable, ShareMessagesTable } from "../../platform/database/schema.ts";

/** As they are wherever a message is copied to; its words, `fragments`, too. */
export const keptColumns = [
  "role",
  "status",
  "thinking_enabled",
  "search_enabled",
  "ban_regenerate",
  "ban_edit",
  "model",
  "inserted_at",
] as const satisfies readonly (keyof MessagesTable & keyof ShareMessagesTable)[];

/** All but the words, of a message and of its copy alike. */
export const commonColumns = [
  "message_id",
  "user_id",
  "parent_id",
  "files",
  "accumulated_token_usage",
  ...keptColumns,
] as const satisfies readonly (keyof MessagesTable & keyof ShareMessagesTable)[];

/** A message of a session without its words. */
export const headColumns = [
  "session_id",
  ...commonColumns,
  "client_stream_id",
  "feedback",
  "last_event_id",
  "stopped",
] as const satisfies readonly (keyof MessagesTable)[];

/** A message of a share without its words. */
export const sharedHeadColumns = [
  "share_id",
  ...commonColumns,
] as const satisfies readonly (keyof ShareMessagesTable)[];
