// Where the marked words of a snippet stand in the text that it is from, as that is drawn. Pure.
import type { SearchHit } from "@plumb/protocol/wire/history";

/** So many letters on each side tell a place from others with the same word: "art" from "start". */
const LETTERS_BESIDE = 12;
/** Two marked words of a snippet are never further apart in the text, with the targets of its links between them. */
const MOST_BETWEEN = 400;
/**
 * Signs of Markdown, spaces and the numbers of lists are other ones in what is drawn, or are not there. No more of them than
 * this: each place of a text of digits would be looked at from its beginning.
 */
const NO_LETTERS = "[^\\p{L}]{0,80}";

/** Units of `text`: the first of each place, and the one behind its last. None where it has none of the words. */
export function wordsInText(
  { snippet, ranges }: Pick<SearchHit, "snippet" | "ranges">,
  text: string,
): [from: number, to: number][] {
  const points = [...snippet];
  const places: [number, number][] = [];
  for (const [from, to] of ranges) {
    const words = points.slice(from, to).join("");
    const before = lettersOf(points.slice(0, from)).slice(-LETTERS_BESIDE);
    const after = lettersOf(points.slice(to)).slice(0, LETTERS_BESIDE);
    const last = places.at(-1)?.[1];
    const at = indexOfWords(words, before, after, text, last ?? 0);
    if (at !== -1 && (last === undefined || at - last <= MOST_BETWEEN)) places.push([at, at + words.length]);
  }
  return places;
}

function lettersOf(points: readonly string[]): string[] {
  return points.filter((point) => /\p{L}/u.test(point));
}

/** By what stands beside it in the snippet, where that is drawn beside it, too: a formula or a link may not be. */
function indexOfWords(
  words: string,
  before: readonly string[],
  after: readonly string[],
  text: string,
  from: number,
): number {
  const behind = `(?<=${before.map((letter) => letter + NO_LETTERS).join("")})`;
  const word = words.replaceAll(/[$()*+.?[\\\]^{|}]/gu, "\\$&");
  const ahead = `(?=${after.map((letter) => NO_LETTERS + letter).join("")})`;
  for (const pattern of [behind + word + ahead, word + ahead, behind + word, word]) {
    const wanted = new RegExp(pattern, "gu");
    wanted.lastIndex = from;
    const found = wanted.exec(text);
    if (found !== null) return found.index;
  }
  return -1;
}
