// The events of a reply's stream (wire-contract.md §4.3). `type` is ours; on the wire it is the SSE event name.
import type { Hint, Message } from "../conversation/message.ts";

export type DeltaOp = "SET" | "APPEND" | "BATCH";

/** A patch of the reply. A missing `p` or `o` takes the previous delta's value (wire-contract.md §4.4). */
export interface Delta {
  p?: string;
  o?: DeltaOp;
  v: unknown;
}

/** A delta with its path and op spelled out, as the stream log holds it. */
export interface ExplicitDelta {
  p: string;
  o: DeltaOp;
  v: unknown;
}

/** Deep-thinking allowance of one Beijing day; `reset_at` is unix seconds. */
export interface Quota {
  quota: number;
  used: number;
  reset_at: number;
}

export interface ReadyEvent {
  type: "ready";
  data: { request_message_id: number; response_message_id: number; model_type?: string };
}
export interface DeltaEvent {
  type: "delta";
  data: Delta;
}
export interface UpdateSessionEvent {
  type: "update_session";
  data: { updated_at: number; version?: number; thinking_quota?: Quota };
}
export interface TitleEvent {
  type: "title";
  data: { content: string };
}
export interface ToastEvent {
  type: "toast";
  data: {
    type: "error" | "warning";
    content: string;
    clear_response?: boolean;
    finish_reason?: string | null;
  };
}
export interface HintEvent {
  type: "hint";
  data: Hint;
}
export interface FinishEvent {
  type: "finish";
  data: Record<string, never>;
}
export interface CloseEvent {
  type: "close";
  data: { click_behavior: "retry" | "none"; auto_resume: boolean };
}

export type StreamEvent =
  | ReadyEvent
  | DeltaEvent
  | UpdateSessionEvent
  | TitleEvent
  | ToastEvent
  | HintEvent
  | FinishEvent
  | CloseEvent;

/** An event with its number: strictly increasing per reply message, gap-free, from 1. */
export type NumberedEvent = StreamEvent & { id: number };

/** What a reader receives: frames without an `id:` line have id null. */
export type ReceivedEvent = StreamEvent & { id: number | null };

/** The root SET that carries a whole message. */
export function snapshotDelta(message: Message): ExplicitDelta {
  return { p: "", o: "SET", v: { response: message } };
}
