// A message as the page keeps it: the wire's message and its run-time fields.
import type { Message } from "@plumb/protocol/conversation/message";
import type { Text } from "../text.ts";

export type GenerateState = "INITIALIZING" | "AWAITING_FIRST_CHANGE" | "GENERATING";

/** The lasting notice of a message. */
export interface MessageHint {
  text: Text;
  type: "error" | "warning";
  clickBehavior: "retry" | "none";
  /** Of a fault on the server's side, for whoever runs it to find. */
  traceId?: string;
  /** Before this a retry would be refused again (milliseconds, by this page's clock). */
  retryAt?: number;
}

/**
 * What a retry at a failed message asks for again, of the same model where one was named for it; a stored one without it, a completion
 * with the same prompt. `nextId`: it was queued, to be sent by this client_stream_id.
 */
export type ResendInfo =
  | { scene: "completion"; nextId?: string }
  | { scene: "edit"; editMessageId: number }
  | { scene: "regenerate"; model: string }
  | { scene: "continue" };

/** A message and its run-time fields. Unsent ones have ids from -2 downwards. */
export interface ClientMessage extends Message {
  /** Names the message for as long as the page shows it; its id changes once, when the server has stored it. */
  key: string;
  /** What the server calls the question of its turn, and the reply; null while, or where, that is not known. */
  requestMessageId: number | null;
  responseMessageId: number | null;
  generateState: GenerateState | null;
  hint: MessageHint | null;
  resendInfo: ResendInfo | null;
  /** When the reply was asked for, or was continued: milliseconds, by this page's clock where it asked itself. */
  askedAt: number;
  /** The user stopped the reply: the server says so, or this page has, though the server may not know it yet. */
  isStopped: boolean;
  /** Its edit box is open; what is typed there is a draft of its own (edit-drafts.ts). */
  isEditing: boolean;
  /** The reply goes on from where it had ended before, until it ends again. */
  isContinuing: boolean;
}

/** A message of the wire with its run-time fields; one that is on the page already, `shown`, keeps its key and its box. */
export function clientMessage(message: Message, shown?: ClientMessage): ClientMessage {
  const key = shown?.key ?? `stored-${message.message_id}`;
  const askedAt = shown?.askedAt ?? message.inserted_at * 1000;
  const isStopped =
    message.stopped === true || (shown?.isStopped === true && shown.status === message.status);
  const isEditing = shown?.isEditing ?? false;
  const own = { key, generateState: null, hint: null, resendInfo: null, askedAt, isStopped, isEditing };
  const turn =
    message.role === "USER"
      ? { requestMessageId: message.message_id, responseMessageId: null }
      : { requestMessageId: message.parent_id, responseMessageId: message.message_id };
  return { ...message, ...own, ...turn, isContinuing: false };
}
