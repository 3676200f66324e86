import { canOpenDollar, findDollarClose, looksLikeMoney } from "./math-rules.ts";

interface OpenRun {
  marker: string;
  length: number;
}

const markersAlone = /^[ \t]*(?:>[ \t]*)*(?:[-*+=_]+|\d{1,9}[.)]?|#{1,6}|`+|~+|\||\${1,2}|\\\[?)?[ \t]*$/;
const delimiterRow = /^[ \t]*\|?[ :|-]*$/;

/**
 * A growing text without a last line that says nothing yet: markers alone (`-` may become a list, a rule or a
 * heading) and what may become the head of a table. So half-typed structure does not flash by as text.
 */
export function hideUndecidedLine(tail: string): string {
  const start = tail.lastIndexOf("\n") + 1;
  const line = tail.slice(start);
  const headStart = undecidedTableHead(tail, start, line);
  if (headStart !== null) return tail.slice(0, headStart);
  return line !== "" && markersAlone.test(line) ? tail.slice(0, start) : tail;
}

/** Where the possible head of a table begins: a line in bars with nothing but an unfinished delimiter row below. */
function undecidedTableHead(tail: string, start: number, line: string): number | null {
  if (/^[ \t]*\|/.test(line) && startsParagraph(tail, start)) return start;
  if (start === 0 || !delimiterRow.test(line)) return null;
  const headStart = tail.lastIndexOf("\n", start - 2) + 1;
  const head = tail.slice(headStart, start);
  return /^[ \t]*\|/.test(head) && startsParagraph(tail, headStart) ? headStart : null;
}

function startsParagraph(tail: string, lineStart: number): boolean {
  return lineStart === 0 || /(?:^|\n)[ \t]*\n$/.test(tail.slice(Math.max(0, lineStart - 40), lineStart));
}

/**
 * The text of a growing paragraph with its half-typed end completed: open code spans, emphasis and formulas are
 * closed, the target of a link in the making is left away and its words are shown.
 */
export function completeInline(content: string): string {
  const runs: OpenRun[] = [];
  let at = 0;
  let shown = content;
  while (at < shown.length) {
    const character = shown.charAt(at);
    switch (character) {
      case "\\":
        if (at === shown.length - 1) shown = shown.slice(0, at);
        at += 2;
        break;
      case "`": {
        const end = endOfCodeSpan(shown, at);
        if (end === null) return closeRuns(completeCode(shown, at), runs);
        at = end;
        break;
      }
      case "$": {
        const end = endOfFormula(shown, at);
        if (end === "open")
          return closeRuns(`${shown.slice(0, at)}${completeFormula(shown.slice(at))}`, runs);
        at = end;
        break;
      }
      case "[": {
        const after = completeLink(shown, at);
        shown = after.text;
        at = after.next;
        break;
      }
      case "*":
      case "_":
      case "~": {
        const length = runLength(shown, at);
        if (at + length === shown.length) return closeRuns(dropTrailingRun(shown, at, length, runs), runs);
        takeRun(shown, at, length, runs);
        at += length;
        break;
      }
      default:
        at++;
    }
  }
  return closeRuns(shown, runs);
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === text.charAt(at)) end++;
  return end - at;
}

function endOfCodeSpan(text: string, at: number): number | null {
  const length = runLength(text, at);
  for (let next = text.indexOf("`", at + length); next >= 0;) {
    const found = runLength(text, next);
    if (found === length) return next + found;
    next = text.indexOf("`", next + found);
  }
  return null;
}

/** Closes the code span that opens at `at`; part of its closing sign may already stand at the end. */
function completeCode(text: string, at: number): string {
  const length = runLength(text, at);
  const body = text.slice(at + length).replace(/`+$/, "");
  if (body.trim() === "") return text.slice(0, at);
  return text.slice(0, at) + "`".repeat(length) + body + "`".repeat(length);
}

function endOfFormula(text: string, at: number): number | "open" {
  if (text.charAt(at + 1) === "$") {
    const end = text.indexOf("$$", at + 2);
    return end < 0 ? "open" : end + 2;
  }
  if (!canOpenDollar(text, at, text.length)) return at + 1;
  if (text.includes("$", at + 1)) {
    const end = findDollarClose(text, at + 1, text.length);
    if (end >= 0) return end + 1;
    if (/(?<!\\)\$/.test(text.slice(at + 1, -1))) return at + 1;
  }
  const rest = text.slice(at + 1);
  return /^\d/.test(rest) || looksLikeMoney(rest) || rest.length > 300 ? at + 1 : "open";
}

function completeFormula(source: string): string {
  const sign = source.startsWith("$$") ? "$$" : "$";
  const body = source.slice(sign.length).replace(/[$\\\s]+$/, "");
  return body.trim() === "" ? "" : sign + body + sign;
}

/** A link whose target is not complete shows its words; one whose words are not complete shows them so far. */
function completeLink(text: string, at: number): { text: string; next: number } {
  const rest = text.slice(at);
  const unfinished = /^\[((?:[^[\]\\]|\\.)*)(\](?:\([^()\s]*(?:\([^()\s]*\)?)?(?:\s[^)]*)?)?)?$/s.exec(rest);
  if (unfinished === null || rest.startsWith("[citation:")) return { text, next: at + 1 };
  const start = text.charAt(at - 1) === "!" ? at - 1 : at;
  const words = unfinished[1] ?? "";
  if (/^[ xX]?$/.test(words) && start === 0) return { text: text.slice(0, start), next: start };
  return { text: text.slice(0, start) + words, next: start };
}

function takeRun(text: string, at: number, length: number, runs: OpenRun[]): void {
  const marker = text.charAt(at);
  const before = text.charAt(at - 1);
  const after = text.charAt(at + length);
  const canClose = before !== "" && !/\s/.test(before) && !(marker === "_" && /[\p{L}\p{N}]/u.test(after));
  const canOpen = !/\s/.test(after) && !(marker === "_" && /[\p{L}\p{N}]/u.test(before));
  if (marker === "~" && length !== 2) return;
  let left = length;
  while (canClose && left > 0) {
    const index = runs.findLastIndex((run) => run.marker === marker);
    const open = runs[index];
    if (open === undefined) break;
    const taken = Math.min(left, open.length);
    left -= taken;
    runs.length = index;
    if (open.length > taken) runs.push({ marker, length: open.length - taken });
  }
  if (canOpen && left > 0 && left <= 3) runs.push({ marker, length: left });
}

/** A run at the very end either closes what it can or opens nothing yet: it is left away with what it closes. */
function dropTrailingRun(text: string, at: number, length: number, runs: readonly OpenRun[]): string {
  const open = runs.findLast((run) => run.marker === text.charAt(at));
  if (open !== undefined || length <= 3) return text.slice(0, at);
  return text;
}

function closeRuns(text: string, runs: readonly OpenRun[]): string {
  if (runs.length === 0) return text;
  const closing = runs
    .map((run) => run.marker.repeat(run.length))
    .toReversed()
    .join("");
  const body = text.trimEnd();
  const emptyRun = runs.at(-1);
  if (emptyRun !== undefined && body.endsWith(emptyRun.marker)) {
    return closeRuns(body.slice(0, -emptyRun.length), runs.slice(0, -1));
  }
  return body + closing;
}
