// Pieces of the model → events of the reply (wire-contract.md §4.5 S, S0, P, D, N, T, K). Knows the fragment that grows, and nothing of
// storage.
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import {
  delta,
  fragmentEvent,
  notPendingEvent,
  snapshotEvent,
  textEvent,
  thoughtEvent,
} from "./reply-events.ts";
import { MOST_FRAGMENTS, nextFragmentId } from "./reply-size.ts";

type Omitting<T> = T extends unknown ? Omit<T, "id"> : never;
/** A fragment before it has its id. */
export type NewFragment = Omitting<Fragment>;

/** Every method returns the events it takes, in order. */
export interface ReplyWriter {
  reasoning(text: string): StreamEvent[];
  text(text: string): StreamEvent[];
  /**
   * The text that grows was a thought, which is over; nothing where no text grows. It is told together with what follows: who
   * goes on after a death finds no thought that is over without an answer, and would think on in it.
   */
  textWasThought(): void;
  /** Begins a fragment; what was thought before it ends. */
  fragment(fragment: NewFragment): StreamEvent[];
  /** S0: the message without a fragment; nothing when the log has a snapshot. */
  emptySnapshot(): StreamEvent[];
  /** What must stand before the end: the end of a thought, or the empty snapshot of a reply that never began. */
  beforeEnd(): StreamEvent[];
  /** False where such words would begin one fragment more than a reply may have. */
  hasRoomFor(kind: "reasoning" | "text"): boolean;
  /** It has a thought or a part of an answer. */
  readonly hasWords: boolean;
}

/**
 * @param message the reply as it stands, fragments of earlier runs included
 * @param snapshotLogged whether this run's log holds a snapshot already
 * @param growingMs producing time already spent on the thought, or the text, that grows
 * @param monotonic a monotonic clock in ms
 */
export function createReplyWriter(
  message: Message,
  snapshotLogged: boolean,
  growingMs: number,
  monotonic: () => number,
): ReplyWriter {
  /** The fragment that can grow. */
  let last: Fragment | undefined = message.fragments.at(-1);
  let words = message.fragments.some(isWords);
  let snapshot = snapshotLogged;
  let pending = snapshotLogged && message.has_pending_fragment;
  let nextId = nextFragmentId(message);
  let count = message.fragments.length;
  let growsFrom = monotonic() - growingMs;
  /** K, until it is told. */
  let lateThought: StreamEvent | null = null;

  function emptySnapshot(): StreamEvent[] {
    if (snapshot) return [];
    snapshot = true;
    pending = true;
    return [snapshotEvent({ ...message, fragments: [] })];
  }

  function fragment(body: NewFragment): StreamEvent[] {
    const added = { ...body, id: nextId } as Fragment;
    const before = endThought();
    nextId += 1;
    count += 1;
    last = added;
    words ||= isWords(added);
    if (isWords(added)) growsFrom = monotonic();
    if (!snapshot && mayOpen(added, message)) {
      snapshot = true;
      return [snapshotEvent({ ...message, fragments: [added] })];
    }
    const opening = emptySnapshot();
    if (pending) opening.push(notPendingEvent());
    pending = false;
    return [...opening, ...before, fragmentEvent(added)];
  }

  function endThought(): StreamEvent[] {
    if (lateThought !== null) {
      const told = lateThought;
      lateThought = null;
      return [told];
    }
    if (!isFragment(last, "THINK")) return [];
    return [delta({ p: "response/fragments/-1/elapsed_secs", o: "SET", v: growingSecs() })];
  }

  function growingSecs(): number {
    return Math.round((monotonic() - growsFrom) / 10) / 100;
  }

  function textWasThought(): void {
    if (!isFragment(last, "RESPONSE")) return;
    last = undefined;
    lateThought = thoughtEvent(growingSecs());
  }

  const common = { references: [], stage_id: 1 };
  return {
    reasoning: (content) =>
      isFragment(last, "THINK")
        ? [textEvent(content)]
        : fragment({ type: "THINK", content, elapsed_secs: null, ...common }),
    text: (content) =>
      isFragment(last, "RESPONSE")
        ? [textEvent(content)]
        : fragment({ type: "RESPONSE", content, ...common }),
    textWasThought,
    fragment,
    emptySnapshot,
    hasRoomFor: (kind) => count < MOST_FRAGMENTS || isFragment(last, kind === "text" ? "RESPONSE" : "THINK"),
    beforeEnd: () => [...(last === undefined ? emptySnapshot() : []), ...endThought()],
    get hasWords() {
      return words;
    },
  };
}

function isWords(fragment: Fragment): boolean {
  return isFragment(fragment, "THINK") || isFragment(fragment, "RESPONSE");
}

/**
 * Some readers tell thinking from answer by the flag when the first fragment lies inside the snapshot (wire-contract.md §4.5 S): a
 * thought without the flag, or an answer with it, comes by a delta of its own.
 */
function mayOpen(fragment: Fragment, message: Message): boolean {
  if (fragment.type === "THINK") return message.thinking_enabled;
  if (fragment.type === "RESPONSE") return !message.thinking_enabled;
  return true;
}
