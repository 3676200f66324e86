const container = "[ \\t]*(?:(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))[ \\t]*)*";
const markersAlone = new RegExp(
  `^${container}(?:[-*+=_]+|\\d{1,9}[.)]?|#{1,6}|(?:\`+|~+)(?:[ \\t]*m(?:a(?:th?)?)?)?|\\\${1,2}|\\\\(?:\\[|b[a-z]*(?:\\{[A-Za-z]*\\*?\\}?)?)?)?[ \\t]*$`,
);
const alertStart = /^[ \t]*(?:>[ \t]*)+\[!?[A-Za-z]*(?:\][ \t]*)?$/;
/** The start of what may become a footnote, up to its colon: as text it would join the footnote above it. */
const footnoteStart = /^ {0,3}\[(?:\^[^\s[\]^]{0,60}(?:\]:?[ \t]*)?)?$/;
/** The start of what may become a link definition, up to its colon. */
const definitionStart = /^ {0,3}\[(?!\^)[^\]\n]{0,60}(?:\]:?[ \t]*)?$/;
const definition = /^ {0,3}\[(?!\^)[^\]\n]{1,60}\]:[ \t]*\S/;
const barLine = new RegExp(`^${container}\\|`);
const delimiterRow = new RegExp(`^${container}\\|?[ :|-]*$`);
const fullDelimiterRow = new RegExp(`^${container}\\|?[ \\t]*:?-+:?[ \\t]*(?:\\|[ \\t]*:?-*:?[ \\t]*)*$`);

/**
 * A growing text without a last line that says nothing yet: markers alone (`-` may become a list, a rule or a
 * heading), a fence that may become a formula, and what may become the head of a table. So half-typed structure does
 * not flash by as text.
 */
export function hideUndecidedLine(tail: string, inTable: boolean): string {
  const start = tail.lastIndexOf("\n") + 1;
  const line = tail.slice(start);
  if (inTable) return line !== "" && markersAlone.test(line) ? tail.slice(0, start) : tail;
  const headStart = undecidedTableHead(tail, start, line);
  if (headStart !== null) return tail.slice(0, headStart);
  const isUndecided =
    markersAlone.test(line) ||
    alertStart.test(line) ||
    footnoteStart.test(line) ||
    (definitionStart.test(line) && (startsParagraph(tail, start) || definition.test(lineAbove(tail, start))));
  return line !== "" && isUndecided ? tail.slice(0, start) : tail;
}

/** Where the possible head of a table begins: a line with bars and nothing but an unfinished delimiter row below. */
function undecidedTableHead(tail: string, start: number, line: string): number | null {
  const previousStart = start === 0 ? 0 : tail.lastIndexOf("\n", start - 2) + 1;
  const previous = tail.slice(previousStart, Math.max(start - 1, 0));
  if (line !== "" && !delimiterRow.test(line)) {
    const at = headAt(line);
    return at === null || isInBars(tail, start) || (at > 0 && !startsParagraph(tail, start))
      ? null
      : start + at;
  }
  if (start === 0) return line.includes("|") ? 0 : null;
  const at = headAt(previous);
  if (at === null || isInBars(tail, previousStart) || (at > 0 && !startsParagraph(tail, previousStart))) {
    return barLine.test(line) && !isInBars(tail, start) ? start : null;
  }
  return fullDelimiterRow.test(previous) ? null : previousStart + at;
}

/** Where a line that may head a table begins to look like one: at its first bar. */
function headAt(line: string): number | null {
  if (barLine.test(line)) return 0;
  const words = /^[^|`$\\\n]*\S (?=\|(?: |$))/.exec(line)?.[0];
  return words === undefined ? null : words.length;
}

/** Whether the line above has bars too: a row of a table, or text that is no head of one. */
function isInBars(tail: string, lineStart: number): boolean {
  return lineAbove(tail, lineStart).includes("|");
}

function lineAbove(tail: string, lineStart: number): string {
  return lineStart === 0 ? "" : tail.slice(tail.lastIndexOf("\n", lineStart - 2) + 1, lineStart - 1);
}

function startsParagraph(tail: string, lineStart: number): boolean {
  return lineStart === 0 || /(?:^|\n)[ \t]*\n$/.test(tail.slice(Math.max(0, lineStart - 40), lineStart));
}
