// One message of a session (wire-contract.md §3.3). Field names are those of the wire: see docs/decisions/0002.
import type { FileInfo } from "./file-info.ts";
import type { Fragment } from "./fragment.ts";

export type Role = "USER" | "ASSISTANT";

/** WIP while the reply runs; every other value is an end status. Only WIP and FINISHED are not interruptions. */
export type MessageStatus =
  "WIP" | "FINISHED" | "INCOMPLETE" | "CONTENT_FILTER" | "CONTEXT_LENGTH_EXCEEDED" | "TIMEOUT";

export type EndStatus = Exclude<MessageStatus, "WIP">;

export interface Feedback {
  feedback_type: "GOOD" | "BAD";
  feedback_tag: string | null;
  description: string | null;
}

/** `inserted_at` is unix seconds with at most 6 decimals. `parent_id` null marks a root. */
export interface Message {
  message_id: number;
  parent_id: number | null;
  role: Role;
  status: MessageStatus;
  fragments: Fragment[];
  files: FileInfo[];
  accumulated_token_usage: number | null;
  thinking_enabled: boolean;
  search_enabled: boolean;
  ban_regenerate: boolean;
  ban_edit: boolean;
  has_pending_fragment: boolean;
  feedback: Feedback | null;
  inserted_at: number;
  client_stream_id: string | null;
  model: string;
  incomplete_message: null;
  auto_continue: boolean;
  conversation_mode: string;
  /** The user has stopped the reply, on whatever device; left out where not. */
  stopped?: true;
  /** Sent just before the end status (wire-contract.md §4.5 E); not part of a stored message. */
  quasi_status?: string;
}

/** A lasting notice at a message. */
export interface Hint {
  type: "error" | "warning";
  content: string;
  clear_response: boolean;
  click_behavior: "retry" | "none";
  finish_reason: string | null;
  /** So many seconds from now a retry would be refused, too. */
  retry_after?: number;
}

/** True for a message whose reply ended otherwise than by finishing. */
export function isInterrupted(status: MessageStatus): boolean {
  return status !== "WIP" && status !== "FINISHED";
}
