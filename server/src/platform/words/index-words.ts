// The words under which a text is found: whole words and what begins at a capital inside one, pairs of what is written
// without spaces, emoji (docs/decisions, "pairs of letters in the index of the history").
import { ownTurn } from "../own-turn.ts";
import { Kind, type SearchText } from "./search-text.ts";

/** Of a longer word only so much is in the index. */
export const WORD_UNITS = 64;
/** Bounds of one text: PostgreSQL takes at most 1 MiB of words in a row. */
const MAX_WORDS = 30_000;
const MAX_BYTES = 512 * 1024;
/** What is cut into words in one turn of the event loop. */
const UNITS_PER_TURN = 16_384;

/**
 * The different words of a text, in the order of their first places; at most 30,000, of at most 512 KiB together. Other forms
 * of the same text add theirs.
 */
export async function indexWords(...forms: readonly SearchText[]): Promise<string[]> {
  const words = new Set<string>();
  let bytes = 0;
  for (const text of forms) {
    let pause = UNITS_PER_TURN;
    for (const { from, to, kind } of runsOf(text)) {
      for (const one of wordsOfRun(text, from, to, kind)) {
        if (words.has(one)) continue;
        bytes += Buffer.byteLength(one);
        if (words.size === MAX_WORDS || bytes > MAX_BYTES) return [...words];
        words.add(one);
      }
      if (to >= pause) {
        pause = to + UNITS_PER_TURN;
        await ownTurn();
      }
    }
  }
  return [...words];
}

export interface Run {
  /** The first of its units, and the one behind its last. */
  from: number;
  to: number;
  kind: number;
}

/** A run longer than this goes on as another one: of words its end is in no index, and dense ones overlap by a letter. */
const RUN_UNITS = 4096;

/** What of a text is searched, in order: each word, each stretch without spaces, each emoji. */
export function* runsOf(text: SearchText): Generator<Run> {
  const { folded } = text;
  for (let from = 0; from < folded.length;) {
    const kind = text.kindAt(from);
    let to = from + lengthAt(folded, from);
    if (kind === Kind.word || kind === Kind.dense) {
      while (
        to < folded.length &&
        text.kindAt(to) === kind &&
        (kind === Kind.word || to - from < RUN_UNITS)
      ) {
        to += lengthAt(folded, to);
      }
    }
    if (kind !== Kind.other) yield { from, to, kind };
    // The pair across the cut of a dense run is in the next one.
    const goesOn = kind === Kind.dense && text.kindAt(to) === Kind.dense && to < folded.length;
    from = goesOn ? to - lengthBefore(folded, to) : to;
  }
}

/** The words by which a run is found. */
function* wordsOfRun(text: SearchText, from: number, to: number, kind: number): Generator<string> {
  const { folded } = text;
  if (kind === Kind.picture) yield folded.slice(from, to);
  else if (kind === Kind.dense) yield* pairsOf(folded, from, to);
  else {
    yield cutWord(folded.slice(from, Math.min(to, from + WORD_UNITS)));
    for (let unit = from + 1; unit < to; unit += 1) {
      if (text.isHump(unit)) yield cutWord(folded.slice(unit, Math.min(to, unit + WORD_UNITS)));
    }
  }
}

/** Each letter with the one behind it, and the last one alone: by its first letter a pair is found, too. */
export function* pairsOf(folded: string, from: number, to: number): Generator<string> {
  for (let at = from; at < to;) {
    const next = at + lengthAt(folded, at);
    yield next < to ? folded.slice(at, next + lengthAt(folded, next)) : folded.slice(at, next);
    at = next;
  }
}

/** A word as the index has it. No half of a surrogate pair stands at its end. */
export function cutWord(word: string): string {
  const cut = word.slice(0, WORD_UNITS);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}

function lengthAt(text: string, unit: number): number {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}

function lengthBefore(text: string, unit: number): number {
  const code = text.charCodeAt(unit - 1);
  return code >= 0xdc00 && code <= 0xdfff ? 2 : 1;
}
