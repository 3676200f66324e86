// What the log of a run says to whoever goes on with it.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { LoggedGroup } from "../sessions/stream-log-store.ts";
import { type FinishReason, isSnapshotEvent } from "./reply-events.ts";

export interface LoggedRun {
  /** The log holds a snapshot. */
  snapshotLogged: boolean;
  /** Producing time, ms: the pauses between one process and the next do not count. */
  producedMs: number;
  /** Time spent on the thought that grows, or on the text, which may turn out to be one, ms; 0 when none does. */
  growingMs: number;
  /** The end status is stored, and this was the end: only title and close are missing (wire-contract.md §4.6 "Tail"). */
  tail: FinishReason | undefined;
}

/** @param state the fold of `groups`, which are those of the run in order */
export function readRun(state: ReplyState, groups: readonly LoggedGroup[]): LoggedRun {
  return {
    snapshotLogged: groups.some((group) => group.events.some(isSnapshotEvent)),
    producedMs: producedMs(groups),
    growingMs: growingMs(state, groups),
    tail: state.message === null || state.message.status === "WIP" ? undefined : reasonOfTail(state),
  };
}

/** The producer died between the end status and `close`. */
function reasonOfTail(state: ReplyState): FinishReason {
  switch (state.message?.status) {
    case "FINISHED":
      return { kind: "finished" };
    case "TIMEOUT":
      return { kind: "timeout" };
    case "CONTENT_FILTER":
      return { kind: "filtered" };
    case "CONTEXT_LENGTH_EXCEEDED":
      return { kind: "context_length" };
    default:
      return state.hint?.click_behavior === "retry"
        ? { kind: "failed", reason: "generation_err" }
        : { kind: "stopped" };
  }
}

function producedMs(groups: readonly LoggedGroup[]): number {
  const begins = new Map<number, number>();
  const spans = new Map<number, number>();
  for (const { epoch, at } of groups) {
    const begin = begins.get(epoch) ?? at;
    begins.set(epoch, begin);
    spans.set(epoch, Math.max(0, at - begin));
  }
  return [...spans.values()].reduce((sum, span) => sum + span, 0);
}

function growingMs(state: ReplyState, groups: readonly LoggedGroup[]): number {
  const last = state.message?.fragments.at(-1);
  if (!isFragment(last, "THINK") && !isFragment(last, "RESPONSE")) return 0;
  if (isFragment(last, "THINK") && last.elapsed_secs !== null) return last.elapsed_secs * 1000;
  const begin = groups.find((group) => group.events.some((event) => mentionsFragment(event, last.id)));
  return begin === undefined ? 0 : Math.max(0, (groups.at(-1)?.at ?? begin.at) - begin.at);
}

function mentionsFragment(event: StreamEvent, id: number): boolean {
  if (event.type !== "delta") return false;
  const { p, v } = event.data;
  const fragments =
    p === ""
      ? (v as { response?: { fragments?: unknown } }).response?.fragments
      : p === "response/fragments"
        ? v
        : null;
  return Array.isArray(fragments) && fragments.some((fragment: { id?: unknown }) => fragment.id === id);
}
