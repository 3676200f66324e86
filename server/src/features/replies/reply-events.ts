// The building blocks of a reply's stream (wire-contract.md §4.5): what an end looks like, event by event.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { EndStatus, Message } from "@plumb/protocol/conversation/message";
import {
  type ExplicitDelta,
  type Quota,
  snapshotDelta,
  type StreamEvent,
} from "@plumb/protocol/stream/stream-event";
import type { Locale } from "../../platform/http/request-context.ts";
import { finishReasonText } from "../../platform/texts.ts";

export type HintReason =
  | "input_exceeds_limit"
  | "context_length_exceeded"
  | "generation_err"
  | "server_busy"
  | "rate_limit_reached"
  | "timeout";

/** Why a reply ends. `length` is the model's own output limit, or ours. */
export type FinishReason =
  | { kind: "finished" }
  | { kind: "stopped" }
  | { kind: "length" }
  | { kind: "filtered" }
  | { kind: "context_length" }
  | { kind: "timeout" }
  | {
      kind: "failed";
      reason: "generation_err" | "server_busy" | "rate_limit_reached";
      /** So many seconds the model would refuse another call, too. */
      retryAfterSecs?: number | undefined;
    };

export const delta = (data: ExplicitDelta): StreamEvent => ({ type: "delta", data });

/** The message as the snapshot of a run that goes on: status WIP. */
export function snapshotEvent(message: Message): StreamEvent {
  const pending = message.fragments.length === 0;
  return delta(
    snapshotDelta({ ...message, status: "WIP", accumulated_token_usage: 0, has_pending_fragment: pending }),
  );
}

/** P (wire-contract.md §4.5): a delta of its own, since some readers lose a first fragment that comes inside a BATCH. */
export const notPendingEvent = (): StreamEvent =>
  delta({ p: "response/has_pending_fragment", o: "SET", v: false });

/** N: a fragment with its first text. */
export const fragmentEvent = (fragment: Fragment): StreamEvent =>
  delta({ p: "response/fragments", o: "APPEND", v: [fragment] });

/** Where the text of the fragment that grows goes. */
export const GROWING_TEXT = "response/fragments/-1/content";

/** D: more text for the fragment that grows. */
export const textEvent = (text: string): StreamEvent => delta({ p: GROWING_TEXT, o: "APPEND", v: text });

/** K: the text that grows was a thought, which took so long. */
export const thoughtEvent = (seconds: number): StreamEvent =>
  delta({
    p: "response/fragments/-1",
    o: "BATCH",
    v: [
      { p: "type", v: "THINK" },
      { p: "elapsed_secs", v: seconds },
    ],
  });

/** True for a root SET as the log holds it. */
export function isSnapshotEvent(event: StreamEvent): boolean {
  return event.type === "delta" && event.data.p === "" && event.data.o === "SET";
}

/** `retryAfterSecs`: so long a retry is of no use, where that is known. */
export function hintEvent(reason: HintReason, locale: Locale, retryAfterSecs?: number): StreamEvent {
  const retry = reason !== "input_exceeds_limit" && reason !== "context_length_exceeded";
  return {
    type: "hint",
    data: {
      type: "error",
      content: finishReasonText(reason, locale),
      clear_response: reason === "input_exceeds_limit",
      click_behavior: retry ? "retry" : "none",
      finish_reason: reason,
      ...(retryAfterSecs === undefined ? {} : { retry_after: retryAfterSecs }),
    },
  };
}

/** X(search_failed) (wire-contract.md §18.3). */
export const searchFailedEvent = (locale: Locale): StreamEvent => toastEvent("search_failed", locale);

function toastEvent(reason: "search_failed" | "content_filter", locale: Locale): StreamEvent {
  return {
    type: "toast",
    data: {
      type: "warning",
      content: finishReasonText(reason, locale),
      clear_response: false,
      finish_reason: reason,
    },
  };
}

/** `updatedAt` in seconds, `version` as both are stored with the event. */
export function updateSessionEvent(
  { updatedAt, version }: { updatedAt: number; version: number },
  quota: Quota | null,
): StreamEvent {
  const data = { updated_at: updatedAt, version };
  return { type: "update_session", data: quota === null ? data : { ...data, thinking_quota: quota } };
}

export function closeEvent(reason: FinishReason): StreamEvent {
  const retry = reason.kind === "failed" || reason.kind === "timeout";
  return { type: "close", data: { click_behavior: retry ? "retry" : "none", auto_resume: false } };
}

const endStatuses: Record<FinishReason["kind"], EndStatus> = {
  finished: "FINISHED",
  stopped: "INCOMPLETE",
  length: "INCOMPLETE",
  filtered: "CONTENT_FILTER",
  context_length: "CONTEXT_LENGTH_EXCEEDED",
  timeout: "TIMEOUT",
  failed: "INCOMPLETE",
};

function endStatus(reason: FinishReason): EndStatus {
  return endStatuses[reason.kind];
}

/** E, and what stands between it and the second update_session: F, H or X. `usage` = tokens of the branch up to here. */
export function endEvents(
  reason: FinishReason,
  options: { usage: number; locale: Locale; hasFragment: boolean; nextFragmentId: number },
): StreamEvent[] {
  const status = endStatus(reason);
  const batch: { p: string; v: unknown }[] = [
    { p: "accumulated_token_usage", v: options.usage },
    { p: "quasi_status", v: status },
  ];
  if (reason.kind === "filtered") {
    const template = {
      id: options.nextFragmentId,
      type: "TEMPLATE_RESPONSE",
      content: finishReasonText("content_filter", options.locale),
    };
    batch.push(
      { p: "ban_regenerate", v: true },
      { p: "status", v: status },
      { p: "fragments", v: [template] },
    );
  }
  if (reason.kind === "stopped") batch.push({ p: "stopped", v: true });
  if (!options.hasFragment) batch.push({ p: "has_pending_fragment", v: false });
  const end = [
    delta({ p: "response", o: "BATCH", v: batch }),
    delta({ p: "response/status", o: "SET", v: status }),
  ];
  return [...end, ...noticeEvents(reason, options)];
}

function noticeEvents(
  reason: FinishReason,
  { locale, hasFragment }: { locale: Locale; hasFragment: boolean },
): StreamEvent[] {
  switch (reason.kind) {
    case "finished":
      return [{ type: "finish", data: {} }];
    case "failed":
      return [hintEvent(reason.reason, locale, reason.retryAfterSecs)];
    case "timeout":
      return [hintEvent("timeout", locale)];
    case "context_length":
      return [hintEvent("context_length_exceeded", locale)];
    case "filtered":
      // Nothing was withdrawn that anybody saw: a filtered prompt has no toast (wire-contract.md §4.6).
      if (!hasFragment) return [];
      return [toastEvent("content_filter", locale)];
    default:
      return [];
  }
}
