// Which messages of a branch are drawn in full as soon as they come; the others are when the reader comes near them.
import type { IndexRange, ShownMessage } from "./message-groups.ts";

/** A message and the next ones fill a screen; those before it are what one sees first when scrolling up. */
const BEFORE = 4;
const AFTER = 12;
/**
 * At the end of a branch the ones before it fill the screen: so many of its heights of them, by what is likely. Where they
 * are less high than that, what else is in view is made before it is seen (use-near.ts, show-when-drawn.ts).
 */
const SCREENS = 1.25;
const MOST_BEFORE = 12;

/** What is known of the screen, in px. */
export interface Heights {
  screen: number;
  /** The likely height of a message. */
  of: (messageId: number) => number;
}

/**
 * Around the place where a branch opens: at the message that was read, or at its end. Of a branch that takes the place
 * of another, around the first message that is not in both: where it was switched.
 */
export function madeAtOnce(
  before: readonly ShownMessage[],
  now: readonly ShownMessage[],
  readMessageId: number | null,
  heights: Heights,
): IndexRange {
  let at = 0;
  if (before.length > 0) while (at < now.length && before[at]?.key === now[at]?.key) at += 1;
  else {
    const read = now.findIndex(({ id }) => id === readMessageId);
    at = read === -1 ? now.length : read;
  }
  let from = Math.max(0, at - BEFORE);
  if (before.length === 0 && at === now.length) from = fillsScreen(now, heights);
  return { from, to: Math.min(now.length, at + AFTER) };
}

/** The first of the last messages that fill the screen. */
function fillsScreen(branch: readonly ShownMessage[], { screen, of }: Heights): number {
  let left = SCREENS * screen;
  const last = branch.slice(-MOST_BEFORE).toReversed();
  const count = last.findIndex(({ id }, index) => {
    left -= of(id);
    return left <= 0 && index + 1 >= BEFORE;
  });
  return branch.length - (count === -1 ? last.length : count + 1);
}
