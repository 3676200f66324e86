// What a reader sees of an answer in Markdown: a search finds that, too, besides what was written (wire-contract.md §19.5).

/** Signs of emphasis and code. Of underscores those at the edge of a word; bounded, so that a run of them costs no square. */
const signs = /\*+|`+|~~|(?<![\p{L}\p{N}_])_{1,3}(?!_)|(?<!_)_{1,3}(?![\p{L}\p{N}_])/gu;
const links = /!?\[([^[\]\n]{1,200})\]\([^()\s]{1,2000}\)/gu;

/** The text without the signs around its words and the targets of its links; null where it has none. */
export function shownText(written: string): string | null {
  const shown = written.replace(links, "$1").replace(signs, "");
  return shown === written ? null : shown;
}
