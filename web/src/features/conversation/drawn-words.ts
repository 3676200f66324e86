const fence = /^(?:`{3,}|~{3,})/;
const notOfTable = /[^\s:|-]/;
/** Marks of quotations, headings, lists and tasks. */
const beginning = /^(?:>[ \t]?)*[ \t]*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?/;
const link = /!?\[([^\][\n]{0,400})\]\((?:<[^<>\n]{0,400}>|[^\s()]{0,400})(?:\s+"[^"\n]{0,200}")?\)/g;
/** Of signs between letters (`snake_case`, `2*3`) most are themselves. */
const emphasis =
  /(?<![\p{L}\p{N}\\*])\*{1,3}(?=[^\s*])|(?<=[^\s*\\])\*{1,3}(?![\p{L}\p{N}*])|(?<!\\)\*\*|~~|(?<![\p{L}\p{N}_\\])_{1,3}(?=[^\s_])|(?<=[^\s_\\])_{1,3}(?![\p{L}\p{N}_])/gu;
const escaped = /\\([!-/:-@[-`{-~])/g;
const inCode = /(`{1,3})([^`\n]+)\1/g;

/**
 * The words of an answer nearly as they are drawn, without reading its Markdown in full: without the signs of
 * emphasis, links, code, tables and lists, with formulas as they were written. Takes time by the length of the text alone.
 */
export function drawnWords(markdown: string): string {
  const lines: string[] = [];
  let open: string | null = null;
  for (const line of markdown.split("\n")) {
    const trimmed = line.trim();
    const marks = fence.exec(trimmed)?.[0] ?? "";
    const info = trimmed.slice(marks.length);
    if (open !== null) {
      const isEnd = marks[0] === open[0] && marks.length >= open.length && info === "";
      if (isEnd) open = null;
      else lines.push(line);
    } else if (marks !== "" && !info.includes("`")) open = marks;
    else if (!trimmed.includes("|") || notOfTable.test(trimmed))
      lines.push(wordsOfLine(trimmed.replace(beginning, "")));
  }
  return lines.join("\n");
}

/** Stands for code while signs are taken away around it. */
const codePlace = "\ue000";

function wordsOfLine(line: string): string {
  const codes: string[] = [];
  let next = 0;
  const around = line.replace(inCode, (_whole, _marks, code: string) => {
    codes.push(code);
    return codePlace;
  });
  return around
    .replace(link, "$1")
    .split(/(?<!\\)\|/)
    .map((cell, _place, { length }) => (length === 1 ? cell : cell.trim()))
    .join(" ")
    .replace(emphasis, "")
    .replace(escaped, "$1")
    .replaceAll(codePlace, () => codes[next++] ?? codePlace);
}
