import type { TableBlock, Unit } from "./block-model.ts";
import {
  lineAt,
  lineOffset,
  parseSegments,
  spansOf,
  type Segment,
  type Segmented,
} from "./block-segments.ts";
import { appendGrouped } from "./grouped-list.ts";
import type { ParseEnv } from "./parse-env.ts";
import { cutTail, toUnit, type OpenTable, type Parse, type SplitState } from "./split-state.ts";

/** markdown-it ends a table when it had to add more cells than this (its own constant). */
const mostAddedCells = 65_536;

/** Closes all rows but the last of the one open table. */
export function closeRows(parse: Parse, segment: Segment): SplitState {
  const { state, parsed } = parse;
  const rows = rowSpans(segment);
  const last = rows.at(-1);
  if (last === undefined || rows.length < 2 || parsed.undecidedLine < last.firstLine) return state;
  const closing = rows.slice(0, -1);
  const open = state.open?.kind === "table" ? state.open : startTable(parse, segment);
  const units = closing.map((span) => toUnit(parse, span));
  const addedCells = closing.reduce(
    (sum, row) => sum + cellsToAdd(lineAt(parsed, row.firstLine), open.columns),
    open.addedCells,
  );
  const block = { ...open.block, rows: appendGrouped(open.block.rows, units) };
  return cutTail({ ...state, open: { ...open, block, addedCells } }, lineOffset(parsed, last.firstLine));
}

/** The table of a segment, behind the rows that were closed before. */
export function toTableBlock(parse: Parse, segment: Segment, open: TableBlock | null): TableBlock {
  const rows = rowSpans(segment).map((span) => toUnit(parse, span));
  if (open !== null) return { ...open, rows: appendGrouped(open.rows, rows) };
  const key = parse.state.offset + lineOffset(parse.parsed, segment.firstLine);
  return { kind: "table", key, head: headUnit(parse, segment), rows: appendGrouped([], rows) };
}

function startTable(parse: Parse, segment: Segment): OpenTable {
  const { state, parsed } = parse;
  const start = lineOffset(parsed, segment.firstLine);
  const headText = parsed.text.slice(start, lineOffset(parsed, segment.firstLine + 2));
  const head = headUnit(parse, segment);
  const columns = head.tokens.filter((token) => token.type === "th_open").length;
  const key = state.offset + start;
  return { kind: "table", block: { kind: "table", key, head, rows: [] }, headText, columns, addedCells: 0 };
}

function headUnit(parse: Parse, segment: Segment): Unit {
  return toUnit(parse, spansOf(segment, "tr_open", 2)[0] ?? segment);
}

function rowSpans(segment: Segment): Segment[] {
  return spansOf(segment, "tr_open", 2).filter((span) => span.tokens[1]?.type === "td_open");
}

/** Parses the tail behind the head of an open table. */
export function parseTableTail(open: OpenTable, tail: string, env: ParseEnv): Segmented {
  const parsed = parseSegments(open.headText, tail, env);
  const table = parsed.segments[0];
  if (table === undefined || open.addedCells === 0) return parsed;
  let added = open.addedCells;
  for (const row of rowSpans(table)) {
    added += cellsToAdd(lineAt(parsed, row.firstLine), open.columns);
    if (added <= mostAddedCells) continue;
    const rest = parseSegments("", tail.slice(lineOffset(parsed, row.firstLine)), env);
    const before = parseSegments(open.headText, tail.slice(0, lineOffset(parsed, row.firstLine)), env);
    return {
      ...parsed,
      segments: [...before.segments, ...rest.segments.map((segment) => shiftLines(segment, row.firstLine))],
    };
  }
  return parsed;
}

function shiftLines(segment: Segment, lines: number): Segment {
  for (const token of segment.tokens) {
    if (token.map !== null) token.map = [token.map[0] + lines, token.map[1] + lines];
  }
  return { tokens: segment.tokens, firstLine: segment.firstLine + lines, endLine: segment.endLine + lines };
}

/** Cells markdown-it adds to (or, negative, drops from) a row of a table. */
function cellsToAdd(line: string, columns: number): number {
  const text = line.trim();
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && (text[at] !== "|" || text[at - 1] === "\\")) continue;
    cells.push(text.slice(start, at));
    start = at + 1;
  }
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return columns - cells.length;
}
