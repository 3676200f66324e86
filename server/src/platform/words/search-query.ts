// What is asked of an index, and whether a text answers it. The index may say yes too often, never too seldom: it is asked
// for words, and the text itself then decides (wire-contract.md §19.5).
import { cutWord, pairsOf, runsOf } from "./index-words.ts";
import { foldShort, Kind, type SearchText } from "./search-text.ts";

/** One word of the index that must be there. */
export interface WordAsked {
  word: string;
  /** It may go on. */
  isBeginning: boolean;
}

/** A part of the query between spaces. */
interface Term {
  folded: string;
  /** A word at its begin or end must begin or end there in the text, too. */
  beginsWord: boolean;
  endsWord: boolean;
}

export interface SearchQuery {
  terms: readonly Term[];
  /** At most MAX_WORDS_ASKED. */
  words: readonly WordAsked[];
}

/** What else is asked only the text itself can answer: so much costs an index little. */
const MAX_WORDS_ASKED = 24;

/** Null for a query that asks for no word: spaces and signs alone. */
export function parseSearchQuery(query: string): SearchQuery | null {
  // Capitals count for nothing in a query, and begin no word there.
  const parts = foldShort(query).folded.split(/\s+/u).filter(Boolean);
  const terms = new Map<string, Term>();
  const words = new Map<string, WordAsked>();
  for (const [index, folded] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const text = foldShort(folded);
    const endsWord = !isLast && text.kindAt(folded.length - 1) === Kind.word;
    terms.set(`${folded} ${endsWord}`, { folded, beginsWord: text.kindAt(0) === Kind.word, endsWord });
    for (const asked of wordsOfTerm(text, isLast)) words.set(`${asked.word} ${asked.isBeginning}`, asked);
  }
  if (words.size === 0) return null;
  return { terms: [...terms.values()], words: [...words.values()].slice(0, MAX_WORDS_ASKED) };
}

function* wordsOfTerm(text: SearchText, isLast: boolean): Generator<WordAsked> {
  const { folded } = text;
  for (const { from, to, kind } of runsOf(text)) {
    if (kind === Kind.dense) {
      const pairs = [...pairsOf(folded, from, to)];
      // The last one alone is the end of a pair, wherever there are two letters.
      if (pairs.length === 1) yield { word: pairs[0] ?? "", isBeginning: true };
      else for (const word of pairs.slice(0, -1)) yield { word, isBeginning: false };
    } else {
      const isBeginning = kind === Kind.word && isLast && to === folded.length;
      yield { word: cutWord(folded.slice(from, to)), isBeginning };
    }
  }
}

/**
 * Places of a term in a text, in units of the folded one, first to last. What must begin a word is not looked for within one:
 * in a word of a single letter, a hundred thousand times, it would be found at each.
 */
function* placesOf(term: Term, text: SearchText): Generator<number> {
  const { folded } = text;
  const from = (unit: number): number =>
    folded.indexOf(term.folded, term.beginsWord ? text.nextBegin(unit) : unit);
  for (let at = from(0); at >= 0; at = from(at + 1)) {
    if (term.beginsWord && !text.beginsWord(at)) continue;
    if (term.endsWord && !text.endsWord(at + term.folded.length)) continue;
    yield at;
  }
}

/** True when every part of the query occurs in the text. */
export function answersQuery(query: SearchQuery, text: SearchText): boolean {
  return query.terms.every((term) => !placesOf(term, text).next().done);
}

export interface Snippet {
  snippet: string;
  /** Code points of `snippet`: the first of each place, and the one behind its last. */
  ranges: [number, number][];
}

/** Code points of a snippet, and how many of them stand before the first place. */
const SNIPPET_CHARS = 200;
const CHARS_BEFORE = 40;

/**
 * The part of `written` around the first place of the query's longest part, at most 200 code points on one line, with all
 * places in it, in order, none over another. `text` is `written`, folded; it must answer the query.
 */
export function snippetOf(query: SearchQuery, written: string, text: SearchText): Snippet {
  const longest = query.terms.toSorted((a, b) => b.folded.length - a.folded.length)[0];
  const place = longest === undefined ? 0 : (placesOf(longest, text).next().value ?? 0);
  const origin = text.originOf(place);
  const begin = afterCutWord(written, stepsBack(written, origin, CHARS_BEFORE), origin);
  const snippet = [...written.slice(begin, begin + 2 * SNIPPET_CHARS)].slice(0, SNIPPET_CHARS).join("");
  const end = begin + snippet.length;
  const found: [number, number][] = [];
  for (const term of query.terms) {
    for (const at of placesOf(term, text)) {
      const from = text.originOf(at);
      if (from >= end) break;
      const to = Math.min(end, text.originOf(at + term.folded.length));
      // What folds to nothing or to more stays whole: the mark goes to the next letter that is there.
      if (from >= begin) found.push([from - begin, Math.max(to, from + 1) - begin]);
    }
  }
  const units = merged(found);
  const points = pointCounter(snippet);
  return {
    snippet: snippet.replaceAll(/\s/gu, " "),
    ranges: units.map(([from, to]) => [points(from), points(to)]),
  };
}

/** Sorted, with those that touch made one. */
function merged(ranges: [number, number][]): [number, number][] {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** Turns units of a text into code points; to be asked in order. */
function pointCounter(text: string): (unit: number) => number {
  let unit = 0;
  let points = 0;
  return (wanted) => {
    for (; unit < wanted; points += 1) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    return points;
  };
}

/** Where the next word begins, if `at` stands inside one that ends before `limit`; else `at`. */
function afterCutWord(text: string, at: number, limit: number): number {
  const isCut = at > 0 && /^\S\S/u.test(text.slice(at - 1, at + 1));
  const space = isCut ? text.slice(at, limit).search(/\s/u) : -1;
  return space === -1 ? at : at + space + 1;
}

function stepsBack(text: string, unit: number, points: number): number {
  let at = unit;
  for (let step = 0; step < points && at > 0; step += 1) {
    const code = text.charCodeAt(at - 1);
    at -= code >= 0xdc00 && code <= 0xdfff && at > 1 ? 2 : 1;
  }
  return at;
}
