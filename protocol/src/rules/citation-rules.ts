// How an answer cites what a search found: `[citation:3]` (wire-contract.md §3.4), and what models make of that.

/** So many characters may stand behind the colon: who reads a text that grows waits no longer for its bracket. */
export const MOST_CITED_CHARS = 60;

/**
 * The source of a regular expression for one citation: a number or several, with blanks, in the brackets of either script.
 * It needs no flag.
 */
export const CITATION = String.raw`[[【][Cc]itation ?[:：](?=[^\]】\n]{1,${MOST_CITED_CHARS}}[\]】]) ?\d{1,4}(?: ?[,，、;；] ?(?:[Cc]itation ?[:：] ?)?\d{1,4})* ?[\]】]`;

/** The numbers in a citation, each once, in their order. */
export function citedNumbers(citation: string): number[] {
  return [...new Set((citation.match(/\d+/gu) ?? []).map(Number))];
}
