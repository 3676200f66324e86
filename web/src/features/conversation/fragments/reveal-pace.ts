// How much of a text that arrives in chunks is shown at a moment, so that it is written evenly (requirements 1§9).
import { LIMITS } from "@plumb/protocol/limits";

/** Nothing that has come waits longer than this to be shown, in milliseconds. */
const longestHoldMs = 300;
/** More at once than a model says in a breath is what was missed, and is shown at once. */
const longestChunk = 500;

interface Chunk {
  at: number;
  /** Length of the text with it. */
  end: number;
}

export interface Reveal {
  /** The text is so long now. Ends and beginnings, and what was missed, are shown at once. */
  take(length: number, now: number): void;
  /** How many characters of it are shown now. */
  shown(now: number): number;
  /** Shows all there is. */
  catchUp(now: number): void;
}

/**
 * A text that is shown whole up to `length`, and from there on at the pace of the last ten chunks; of the pace before,
 * a new chunk preserves 0.8. What leaves the window of ten chunks is shown at the latest then.
 */
export function createReveal(length: number, now: number): Reveal {
  let chunks: Chunk[] = [{ at: now, end: length }];
  let position = length;
  let movedAt = now;
  /** Characters a millisecond; 0 before it is known. */
  let pace = 0;

  const end = (): number => chunks.at(-1)?.end ?? 0;

  function restart(total: number, at: number): void {
    chunks = [{ at, end: total }];
    position = total;
    movedAt = at;
  }

  function move(at: number): void {
    const waiting = end() - position;
    const step = Math.max(pace, waiting / longestHoldMs) * Math.max(0, at - movedAt);
    const overdue = chunks.findLast((chunk) => at - chunk.at >= longestHoldMs)?.end ?? 0;
    position = Math.min(end(), Math.max(position + step, overdue, chunks[0]?.end ?? 0));
    movedAt = at;
  }

  return {
    take(total, at) {
      const before = end();
      if (total === before) return;
      if (total < before || total - before > longestChunk || before === 0) return restart(total, at);
      move(at);
      chunks = [...chunks, { at, end: total }].slice(-LIMITS.typingWindowChunks);
      const [first] = chunks;
      const measured = first === undefined ? 0 : (total - first.end) / Math.max(1, at - first.at);
      const preserved = LIMITS.typingPreserveRate;
      pace = pace === 0 ? measured : preserved * pace + (1 - preserved) * measured;
    },
    shown(at) {
      move(at);
      return Math.floor(position);
    },
    catchUp: (at) => restart(end(), at),
  };
}

/** Signs that belong to the letter before them: accents, what chooses a form or a skin, and what joins two into one. */
const belongsToLetter = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)/u;
const longestLetter = 32;

/** The first `length` characters of a text, and the rest of the letter that would be cut. */
export function cutText(text: string, length: number): string {
  if (length >= text.length) return text;
  let at = length;
  const most = Math.min(text.length, length + longestLetter);
  const isInside = (): boolean =>
    isSecondHalf(text, at) ||
    text.charAt(at - 1) === "\u200d" ||
    belongsToLetter.test(text.slice(at, at + 2));
  while (at < most && isInside()) at++;
  return text.slice(0, at);
}

/** Of a sign that takes two places. */
function isSecondHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
