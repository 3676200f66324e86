// When a growing reply pulls the page along (requirements 1§2, 1§9). Pure.

/** Lengths in px, as the scrolling element reports them. */
export interface ScrollPosition {
  scrollTop: number;
  scrollHeight: number;
  clientHeight: number;
}

/** Within this distance of the end the page counts as near the bottom. */
const NEAR_BOTTOM_PX = 300;

/** The greatest scrollTop there is. */
function scrollRange({ scrollHeight, clientHeight }: ScrollPosition): number {
  return Math.max(0, scrollHeight - clientHeight);
}

/** Pixels between what shows and the end. */
function distanceToBottom(position: ScrollPosition): number {
  return Math.max(0, scrollRange(position) - position.scrollTop);
}

/** Where a page comes to stand that is pulled beyond its ends, as on Apple's systems: its springing back is no scroll. */
function restingTop(position: ScrollPosition): number {
  return Math.min(Math.max(0, position.scrollTop), scrollRange(position));
}

/** Within this distance of the end one reads the end. */
const AT_END_PX = 48;

export function isAtEnd(position: ScrollPosition): boolean {
  return distanceToBottom(position) <= AT_END_PX;
}

export function isNearBottom(position: ScrollPosition): boolean {
  return distanceToBottom(position) <= NEAR_BOTTOM_PX;
}

/** Whether the page stands above where it stood, and not at its end. */
export function isAbove(now: ScrollPosition, before: ScrollPosition): boolean {
  return now.scrollTop < before.scrollTop && distanceToBottom(now) > 0;
}

/**
 * Whether the page follows the reply after a scroll: any move upwards lets go, a move downwards takes hold again near
 * the bottom. A page that got shorter, or a window on it that got taller (the keyboard of a phone went, or the lines of
 * a sent text), moves by itself, and so does one that has grown above what is read: by as much. That is no scrolling of
 * the reader's. `isMade`: parts of the page were made, and the reader has touched, pressed or turned nothing just now. A
 * short way up is none of theirs then, either: the page got shorter above what is read, and as long or longer below.
 */
export function followsAfterScroll(
  follows: boolean,
  before: ScrollPosition,
  after: ScrollPosition,
  isMade: boolean,
): boolean {
  const moved = restingTop(after) - restingTop(before);
  if (moved < 0) {
    const isByItself = isMade && -moved < after.clientHeight / 2;
    return follows && (isByItself || scrollRange(after) < scrollRange(before));
  }
  const grown = after.scrollHeight - before.scrollHeight;
  if (grown > 0 && Math.abs(moved - grown) <= 1) return follows;
  return moved > 0 ? follows || isNearBottom(after) : follows;
}
