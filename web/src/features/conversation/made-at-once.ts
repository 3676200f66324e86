// Which messages of a branch are drawn in full as soon as they come; the others are when the reader comes near them.

/** A message and the next ones fill a screen; those before it are what one sees first when scrolling up. */
const BEFORE = 4;
const AFTER = 12;

/** Indexes of messages, `to` not included. */
interface IndexRange {
  from: number;
  to: number;
}

interface Keyed {
  key: string;
  id: number;
}

/**
 * Around the place where a branch opens: at the message that was read, or at its end. Of a branch that takes the place
 * of another, around the first message that is not in both: where it was switched.
 */
export function madeAtOnce(
  before: readonly Keyed[],
  now: readonly Keyed[],
  readMessageId: number | null,
): IndexRange {
  let at = 0;
  if (before.length > 0) while (at < now.length && before[at]?.key === now[at]?.key) at += 1;
  else {
    const read = now.findIndex(({ id }) => id === readMessageId);
    at = read === -1 ? now.length : read;
  }
  return { from: Math.max(0, at - BEFORE), to: Math.min(now.length, at + AFTER) };
}
