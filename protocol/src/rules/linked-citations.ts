// What an answer cites, as links or otherwise: for a text that leaves the page.
import { CITATION, citedNumbers } from "./citation-rules.ts";

/** In every citation; most texts have none. */
const CITED = "itation";

/** Backquotes, or a citation with the blank before it. */
const quotesOrCitation = new RegExp(`\`+|( ?)(${CITATION})`, "g");

/** A word or number that goes on. */
const goesOn = /^[\p{L}\p{N}]/u;

/**
 * The text with what is drawn of each number in the place of what it cites, as on the page; a number of which nothing is drawn
 * is left out, and what stands between two runs of as many backquotes is left alone (CommonMark 0.31 §6.1). It takes no longer
 * per character of a longer text.
 */
export function drawnCitations(text: string, drawn: (number: number) => string | null): string {
  if (!text.includes(CITED)) return text;
  /** Runs of backquotes still to come, by their length. */
  const toCome = new Map<number, number>();
  for (const [{ length }] of text.matchAll(/`+/g)) toCome.set(length, (toCome.get(length) ?? 0) + 1);
  /** The length of the run that began what is left alone; 0 outside. */
  let open = 0;
  return text.replace(
    quotesOrCitation,
    (found: string, before: string, citation: string | undefined, at: number) => {
      if (citation === undefined) {
        const { length } = found;
        const more = (toCome.get(length) ?? 0) - 1;
        toCome.set(length, more);
        if (open === length) open = 0;
        else if (open === 0 && more > 0) open = length;
        return found;
      }
      if (open > 0) return found;
      const all = citedNumbers(citation).flatMap((number) => drawn(number) ?? []);
      const end = at + found.length;
      // Two words are none.
      if (all.length === 0) return goesOn.test(text.slice(end, end + 2)) ? before : "";
      // Right behind this sign a link is a picture.
      const blank = before === "" && text[at - 1] === "!" ? " " : before;
      return blank + all.join("");
    },
  );
}

/**
 * As `drawnCitations`, with links. A number keeps its brackets where the links are drawn: without them it would be a part of
 * the word or year before it.
 */
export function linkedCitations(
  text: string,
  addresses: ReadonlyMap<number | null | undefined, string>,
): string {
  return drawnCitations(text, (number) => {
    const address = addresses.get(number);
    if (address === undefined) return null;
    return `[\\[${number}\\]](${address.replaceAll("(", "%28").replaceAll(")", "%29")})`;
  });
}
