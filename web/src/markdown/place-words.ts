import { fillSoon } from "./make-queue.ts";

/** The browser follows where each place with words is, some milliseconds in a frame for so many. */
const mostWithWords = 500;
/** Whose turn it is comes to light by sorting all places: not for each that is made. */
const freedTogether = 50;

interface Place {
  words: () => string;
  /** In the order of coming, which is that of the page but for what comes within a part. */
  order: number;
}

const places = new Map<Element, Place>();
const filled = new Set<Element>();
let nextOrder = 0;
/** The place nearest to the reader, by its order: the last one until it is known. */
let reader: number | null = null;
/** Those to be filled, the nearest to the reader last; null: to be sorted again. */
let turns: Element[] | null = null;
let isFilling = false;

/**
 * Soon lets a place say its words, so that a search in the page, a selection and a reader aloud have them: of very many
 * places those nearest to the reader, and the others as these are made. To be told again when it has other words.
 */
export function fillPlace(place: Element, words: () => string): void {
  if (places.size === 0) reader = null;
  const known = places.get(place);
  places.set(place, { words, order: known?.order ?? nextOrder++ });
  if (known === undefined || filled.delete(place)) goOn();
}

/** Loses interest in a place, as what it stands for is made. */
export function leavePlace(place: Element): void {
  if (!places.delete(place)) return;
  filled.delete(place);
  const wordless = places.size - filled.size;
  if (wordless > 0 && mostWithWords - filled.size >= Math.min(freedTogether, wordless)) goOn();
}

/** Told which place has come nearest to the screen. */
export function noteReaderAt(place: Element): void {
  reader = places.get(place)?.order ?? reader;
  if (places.size > mostWithWords) goOn();
}

function goOn(): void {
  turns = null;
  if (isFilling) return;
  isFilling = true;
  fillSoon(fillNext);
}

function fillNext(): void {
  turns ??= takeTurns();
  const place = turns.pop();
  const words = place && places.get(place)?.words;
  if (place && words) {
    place.textContent = words();
    filled.add(place);
  }
  isFilling = turns.length > 0;
  if (isFilling) fillSoon(fillNext);
}

/** Those that are to have words and have none yet. What is too far away for that loses them. */
function takeTurns(): Element[] {
  const at = reader ?? nextOrder;
  const nearestFirst = [...places].sort(([, a], [, b]) => Math.abs(a.order - at) - Math.abs(b.order - at));
  for (const [place] of nearestFirst.slice(mostWithWords)) if (filled.delete(place)) place.textContent = "";
  return nearestFirst
    .slice(0, mostWithWords)
    .flatMap(([place]) => (filled.has(place) ? [] : place))
    .toReversed();
}
