// What a reader sees of an answer in Markdown: a search finds that, too, besides what was written (wire-contract.md §19.5).

const links = /!?\[([^[\]\n]{1,200})\]\([^()\s]{1,2000}\)/gu;
/** Emphasis and code, each between signs of one kind on one line. All are bounded, so that no text costs its square. */
const marked = [
  /(?<!`)(`{1,3})([^`\n]{1,500})\1(?!`)/gu,
  /(?<!\*)(\*{1,3})(?=[^\s*])([^*\n]{1,500})(?<=\S)\1(?!\*)/gu,
  /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_\n]{1,500})(?<=\S)\1(?![\p{L}\p{N}_])/gu,
  /(?<!~)(~{1,2})(?=[^\s~])([^~\n]{1,500})(?<=\S)\1(?!~)/gu,
];
/** Emphasis in emphasis. */
const PASSES = 2;

/** The text of an answer without the signs around its words and the targets of its links; null where it has none. */
export function shownText(written: string): string | null {
  let shown = written.replace(links, "$1");
  for (let pass = 0; pass < PASSES; pass += 1) for (const pair of marked) shown = shown.replace(pair, "$2");
  return shown === written ? null : shown;
}
