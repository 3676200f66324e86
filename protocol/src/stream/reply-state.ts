// What is known of a reply: apart from the fold, so that the page has it before it reads any reply.
import type { Hint, Message } from "../conversation/message.ts";
import type { CloseEvent, DeltaOp, Quota, ToastEvent } from "./stream-event.ts";

/** What a delta without `p` or `o` takes over from the one before it. */
export interface DeltaReader {
  readonly p: string;
  readonly o: DeltaOp;
}

/** The reader at the start of every response body. */
export const FRESH_READER: DeltaReader = { p: "", o: "SET" };

/** A passing notice; `id` is that of its event, null when the frame had none. */
export interface ReplyToast {
  id: number | null;
  data: ToastEvent["data"];
}

/**
 * A reply as known after some of its events.
 * - `message` equals the stored message: `quasi_status`, which only announces the end status, is never kept in it.
 *   Null before the first snapshot and after a hint that clears the response.
 * - `lastEventId` is what a resume sends as Last-Event-ID; 0 before the first numbered event.
 * - `finished` and `closed`, `hint` and `toasts` belong to the current run; a continue (a new numbered ready) resets them.
 * - `title`, `updatedAt` (unix seconds) and `quota` are null until an event brought them.
 */
export interface ReplyState {
  readonly message: Message | null;
  readonly requestMessageId: number | null;
  readonly responseMessageId: number | null;
  readonly lastEventId: number;
  readonly reader: DeltaReader;
  readonly finished: boolean;
  readonly closed: { click_behavior: CloseEvent["data"]["click_behavior"] } | null;
  readonly hint: Hint | null;
  readonly toasts: readonly ReplyToast[];
  readonly title: string | null;
  readonly updatedAt: number | null;
  readonly quota: Quota | null;
}

/** A reply of which nothing is known yet. */
export function emptyReply(): ReplyState {
  return {
    message: null,
    requestMessageId: null,
    responseMessageId: null,
    lastEventId: 0,
    reader: FRESH_READER,
    finished: false,
    closed: null,
    hint: null,
    toasts: [],
    title: null,
    updatedAt: null,
    quota: null,
  };
}
