// What the log of a run says to whoever goes on with it.
import { LIMITS } from "@plumb/protocol/limits";
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

/**
 * Times are those of the wall clock, which may be set meanwhile. No living server is silent for longer than a local model may
 * read before its first token: a longer gap between two events is a step of the clock, as is one below zero. Where an operator
 * lets a model be silent for longer still, that is not counted: the reply may then take the longer, but it is not cut off.
 */
const LONGEST_SILENCE_MS = LIMITS.localModelFirstTokenMs;

/** The time that these groups took. What lies between the last of one process and the first of the next took nobody's. */
function producedMs(groups: readonly LoggedGroup[]): number {
  let sum = 0;
  let before: LoggedGroup | undefined;
  for (const group of groups) {
    const gap = before?.epoch === group.epoch ? group.at - before.at : 0;
    if (gap > 0 && gap <= LONGEST_SILENCE_MS) sum += gap;
    before = group;
  }
  return sum;
}

function growingMs(state: ReplyState, groups: readonly LoggedGroup[]): number {
  const last = state.message?.fragments.at(-1);
  if (!isFragment(last, "THINK") && !isFragment(last, "RESPONSE")) return 0;
  if (isFragment(last, "THINK") && last.elapsed_secs !== null) return last.elapsed_secs * 1000;
  const begin = groups.findIndex((group) => group.events.some((event) => mentionsFragment(event, last.id)));
  return begin === -1 ? 0 : producedMs(groups.slice(begin));
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
