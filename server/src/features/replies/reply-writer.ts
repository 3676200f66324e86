// Pieces of the model → events of the reply (wire-contract.md §4.5 S, D, N, T). Knows the fragment that grows, and nothing of storage.
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { growText } from "./group-commit.ts";
import { delta, snapshotEvent } from "./reply-events.ts";

const FIRST_FRAGMENT_ID = 2;

export interface ReplyWriter {
  reasoning(text: string): StreamEvent[];
  text(text: string): StreamEvent[];
  /** What must stand before the end: the end of a thought, or the empty snapshot of a reply that never began. */
  beforeEnd(): StreamEvent[];
  readonly hasFragment: boolean;
  readonly nextFragmentId: number;
  /** True once a THINK or RESPONSE fragment has words: what a counted thinking reply is kept for. */
  readonly hasWords: boolean;
  /** The answer so far, for the count of tokens. */
  readonly answer: string;
}

/**
 * @param message the reply as it stands, fragments of earlier runs included
 * @param snapshotLogged whether this run's log holds a snapshot already
 * @param thoughtMs producing time already spent on the thought that grows
 * @param monotonic a monotonic clock in ms
 */
export function createReplyWriter(
  message: Message,
  snapshotLogged: boolean,
  thoughtMs: number,
  monotonic: () => number,
): ReplyWriter {
  let last: Fragment | undefined = message.fragments.at(-1);
  let snapshot = snapshotLogged;
  let nextId = message.fragments.reduce((id, fragment) => Math.max(id, fragment.id + 1), FIRST_FRAGMENT_ID);
  let thoughtFrom = monotonic() - thoughtMs;
  let answer = message.fragments
    .map((fragment) => (isFragment(fragment, "RESPONSE") ? fragment.content : ""))
    .join("");

  function first(fragment: Fragment): StreamEvent[] {
    if (!snapshot) {
      snapshot = true;
      return [snapshotEvent({ ...message, fragments: [fragment] })];
    }
    // The log holds an empty snapshot: the first fragment of a continued reply.
    const batch = [
      { p: "has_pending_fragment", v: false },
      { p: "fragments", o: "APPEND", v: [fragment] },
    ];
    return [delta({ p: "response", o: "BATCH", v: batch })];
  }

  function begin(type: "THINK" | "RESPONSE", content: string): StreamEvent[] {
    const common = { id: nextId, content, references: [], stage_id: 1 };
    const fragment: Fragment =
      type === "THINK" ? { ...common, type, elapsed_secs: null } : { ...common, type };
    nextId += 1;
    const before = endThought();
    const events =
      last === undefined
        ? first(fragment)
        : [...before, delta({ p: "response/fragments", o: "APPEND", v: [fragment] })];
    last = fragment;
    if (type === "THINK") thoughtFrom = monotonic();
    return events;
  }

  function endThought(): StreamEvent[] {
    if (!isFragment(last, "THINK")) return [];
    const seconds = Math.round((monotonic() - thoughtFrom) / 10) / 100;
    return [delta({ p: "response/fragments/-1/elapsed_secs", o: "SET", v: seconds })];
  }

  return {
    reasoning: (text) => (isFragment(last, "THINK") ? [growText(text)] : begin("THINK", text)),
    text(text) {
      answer += text;
      return isFragment(last, "RESPONSE") ? [growText(text)] : begin("RESPONSE", text);
    },
    beforeEnd() {
      if (last !== undefined || snapshot) return endThought();
      snapshot = true;
      return [snapshotEvent({ ...message, fragments: [] })];
    },
    get hasFragment() {
      return last !== undefined;
    },
    get nextFragmentId() {
      return nextId;
    },
    get hasWords() {
      return last !== undefined;
    },
    get answer() {
      return answer;
    },
  };
}
