import type { Block } from "./block-model.ts";
import type { Grouped } from "./grouped-list.ts";
import { keepParsed, parsedText } from "./parse-cache.ts";
import type { Growing } from "./parse-env.ts";
import { append, emptySplit, finish, viewBlocks } from "./split-blocks.ts";

/** Longest time a growing text may wait to be drawn (requirements 1§9). */
const longestWaitMilliseconds = 2000;
/** A step cheaper than this is drawn at once, always; the pause after others keeps most of the page's time free. */
const cheapMilliseconds = 0.5;
const comparedCharacters = 256;
/** A dear step is followed by a pause of this many times its length. */
const restFactor = 6;
/** A long text is taken in slices, so that no task of the page becomes long. */
const sliceCharacters = 4096;
const sliceMilliseconds = 12;

/** One text on its way: the last result, and when the next one may be made. */
export function createSplitSession(now: () => number = () => performance.now()) {
  let taken = "";
  let split = emptySplit;
  let blocks: Grouped<Block> = [];
  /** What was made of it. */
  let made: Growing = true;
  let restUntil = 0;

  function isComplete(text: string, streaming: Growing): boolean {
    return text === taken && made === streaming;
  }

  function update(text: string, streaming: Growing): Grouped<Block> {
    if (isComplete(text, streaming)) return blocks;
    const started = now();
    // One that grew has blocks of its own on the screen.
    const known = streaming !== false || taken !== "" ? null : parsedText(text);
    if (known !== null) {
      taken = text;
      made = false;
      blocks = known;
      return blocks;
    }
    if (!continues(text, taken, streaming) || made === false) {
      split = emptySplit;
      taken = "";
    }
    do {
      const end = sliceEnd(text, taken.length);
      split = append(split, text.slice(taken.length, end));
      taken = text.slice(0, end);
    } while (taken.length < text.length && now() - started < sliceMilliseconds);
    made = taken.length < text.length || streaming;
    blocks = made === false ? finish(split).blocks : viewBlocks(split, made);
    if (made === false) keepParsed(text, blocks);
    const cost = now() - started;
    restUntil = cost < cheapMilliseconds ? 0 : now() + Math.min(cost * restFactor, longestWaitMilliseconds);
    return blocks;
  }

  return {
    update,
    isComplete,
    latest: () => blocks,
    remainingWait: () => (restUntil === 0 ? 0 : restUntil - now()),
  };
}

/** A slice ends with a line where it can, so that few lines are parsed twice. */
function sliceEnd(text: string, from: number): number {
  const end = from + sliceCharacters;
  if (end >= text.length) return text.length;
  const newline = text.lastIndexOf("\n", end);
  return newline > from ? newline + 1 : end;
}

/**
 * Whether `text` is `taken` with more at its end. Comparing all of it at each of ten thousand appends would cost
 * more than drawing them, so while it grows the joint is looked at, and all of it once at the end.
 */
function continues(text: string, taken: string, streaming: Growing): boolean {
  if (text.length < taken.length) return false;
  const from = streaming === true ? Math.max(0, taken.length - comparedCharacters) : 0;
  return text.slice(from, taken.length) === taken.slice(from);
}
