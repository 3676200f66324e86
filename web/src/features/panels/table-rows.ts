// The rows of a table that is written as text with a character between its cells (RFC 4180).
import { extensionOf } from "@plumb/protocol/rules/upload-rules";

/** Of a table so many rows and columns are shown. */
export const MOST_ROWS = 50_000;
export const MOST_COLUMNS = 200;
/** Of a cell so much is kept (UTF-16 units). */
const LONGEST_CELL = 1000;

/** What stands between the cells: a tab, or in a csv what its first line has most of. */
export function separatorOf(fileName: string, text: string): string {
  if (extensionOf(fileName) !== "csv") return "\t";
  const line = text.slice(0, 10_000).split(/[\r\n]/, 1)[0] ?? "";
  const counted = [",", ";", "\t", "|"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).mark;
}

/**
 * The rows one after the other; quotes around a cell keep separators, ends of lines and doubled quotes in it. Returns whether
 * something of a row was left out.
 */
export function* readRows(text: string, separator: string): Generator<readonly string[], boolean> {
  let isCut = false;
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = readCell(text, at, separator);
    if (row.length < MOST_COLUMNS) {
      row.push(shortened(cell));
      if (cell.length > LONGEST_CELL) isCut = true;
    } else if (cell !== "") isCut = true;
    at = end + 1;
    if (end < text.length && text[end] === separator) {
      if (at < text.length) continue;
      if (row.length < MOST_COLUMNS) row.push("");
    }
    if (text[end] === "\r" && text[at] === "\n") at += 1;
    // A line without anything is no row.
    if (row.length > 1 || row[0] !== "") yield row;
    row = [];
  }
  return isCut;
}

/** A cell that is cut says so itself, too. */
function shortened(cell: string): string {
  if (cell.length <= LONGEST_CELL) return cell;
  const cut = cell.slice(0, LONGEST_CELL);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** One cell from its first character on; `end` is where it is ended: a separator, the end of a line or of the text. */
function readCell(text: string, start: number, separator: string): { cell: string; end: number } {
  let quoted = "";
  let from = start;
  if (text[start] === '"') {
    for (from = start + 1; ;) {
      const close = text.indexOf('"', from);
      if (close === -1) return { cell: quoted + text.slice(from), end: text.length };
      quoted += text.slice(from, close);
      from = close + 1;
      if (text[from] !== '"') break;
      quoted += '"';
      from += 1;
    }
  }
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { cell: quoted + text.slice(from, end), end };
}
