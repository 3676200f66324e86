// A session as a turn finds it: what the rules decide on.
import type { Agent } from "../agents/built-in-agents.ts";
import type { MessageRow } from "../sessions/message-store.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import type { SessionRow } from "../sessions/session-store.ts";

export interface TurnMessage {
  message_id: number;
  parent_id: number | null;
  role: string;
  status: string;
  ban_regenerate: boolean;
  ban_edit: boolean;
  /** Of a USER message, in their order. */
  fileIds: readonly string[];
  /** Holds a TEMPLATE_RESPONSE. */
  isTemplate: boolean;
  /** Holds any words of the model, or a fixed text. */
  hasText: boolean;
  /** Tokens of the branch that ends here; infinite where it went over its length. */
  usage: number;
}

/** The reply that a continue goes on with. */
export interface StoppedReply {
  row: MessageRow;
  reply: ReplyRow;
  /** Its last run has not closed yet. */
  inTail: boolean;
  /** As far as the log is kept; 0 without one. */
  lastEpoch: number;
}

/** A file that the turn asks for. */
export interface TurnFile {
  id: string;
  status: string;
  /** What it takes of a prompt. */
  tokens: number;
}

export interface TurnState {
  session: SessionRow;
  /** Null where it is not there any more. */
  agent: Agent | null;
  messages: readonly TurnMessage[];
  /** Those of the caller's files that the request's message would carry; what is unknown, foreign or removed is not in it. */
  files: readonly TurnFile[];
  /** UTF-8 bytes of what all messages hold. */
  bytes: number;
  /** The next one of the user, taken with the read. */
  seqId: number;
  /** Of the user, in all sessions. */
  runningReplies: number;
  /** Of a continue; null where the message is no reply. */
  stopped: StoppedReply | null;
}
