// How much a reply has said, in UTF-16 code units, in how many fragments, and where it is cut when it
// says too much (LIMITS.replyChars).
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";

/** Code units of all words and thoughts. */
export function charsOf(message: Pick<Message, "fragments">): number {
  return message.fragments.reduce(
    (sum, part) =>
      sum + (isFragment(part, "THINK") || isFragment(part, "RESPONSE") ? part.content.length : 0),
    0,
  );
}

/** The first `length` code units, or one less where the cut would go through a character. */
export function cutBefore(text: string, length: number): string {
  const end = Math.max(0, length);
  const code = end === 0 ? 0 : text.charCodeAt(end - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end);
}

/**
 * Fragments of a reply that changes between thought and answer for ever. Every reader refuses a message of ten thousand (delta.ts),
 * and we, who fold what we said, are one.
 */
export const MOST_FRAGMENTS = 1000;

/** Ids of a reply's fragments begin here (wire-contract.md §3.4). */
const FIRST_FRAGMENT_ID = 2;

/** The id of the fragment that comes next. */
export function nextFragmentId(message: Pick<Message, "fragments"> | null): number {
  return (message?.fragments ?? []).reduce((id, part) => Math.max(id, part.id + 1), FIRST_FRAGMENT_ID);
}
