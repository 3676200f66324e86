// What an answer cites, as links: for a text that leaves the page.
import { CITATION, citedNumbers } from "./citation-rules.ts";

/** In every citation; most texts have none. */
const CITED = "itation";

/** Backquotes, or a citation with the blank before it. */
const quotesOrCitation = new RegExp(`\`+|( ?)(${CITATION})`, "g");

/**
 * The text with links in the place of what it cites, as on the page; a number without an address is left out, and what stands
 * between two runs of as many backquotes is left alone (CommonMark 0.31 §6.1). A number keeps its brackets where the links are
 * drawn: without them it would be a part of the word or year before it. It takes no longer per character of a longer text.
 */
export function linkedCitations(
  text: string,
  addresses: ReadonlyMap<number | null | undefined, string>,
): string {
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
      const links = citedNumbers(citation).flatMap((number) => {
        const address = addresses.get(number);
        return address === undefined
          ? []
          : [`[\\[${number}\\]](${address.replaceAll("(", "%28").replaceAll(")", "%29")})`];
      });
      if (links.length === 0) return "";
      // Right behind this sign a link is a picture.
      const blank = before === "" && text[at - 1] === "!" ? " " : before;
      return blank + links.join("");
    },
  );
}
