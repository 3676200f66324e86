import { parseBlocks, type Reference, type Token } from "./markdown-parser.ts";

/** One top-level block of a parse, with the lines it covers. */
export interface Segment {
  tokens: Token[];
  firstLine: number;
  endLine: number;
}

/** A parsed text: its segments and where each line begins. */
export interface Segmented {
  text: string;
  lineStarts: number[];
  segments: Segment[];
}

/**
 * Parses `text` as it stands behind `prefix` (lines that set the stage: the head of an open table, a stand-in
 * for the items of an open list). Line numbers count from the first line of `text`.
 */
export function parseSegments(
  prefix: string,
  text: string,
  references: Record<string, Reference>,
): Segmented {
  const tokens = parseBlocks(prefix + text, references);
  const prefixLines = countLines(prefix);
  const segments: Segment[] = [];
  let current: Segment | null = null;
  for (const token of tokens) {
    if (token.map !== null && prefixLines > 0)
      token.map = [token.map[0] - prefixLines, token.map[1] - prefixLines];
    if (current === null) {
      current = { tokens: [], firstLine: token.map?.[0] ?? 0, endLine: token.map?.[1] ?? 0 };
      segments.push(current);
    }
    current.tokens.push(token);
    if (token.level === 0 && token.nesting <= 0) current = null;
  }
  return { text, lineStarts: findLineStarts(text), segments };
}

/** Offset of a line in the text; the line after the last is the text's end. */
export function lineOffset(parsed: Segmented, line: number): number {
  return parsed.lineStarts[Math.max(line, 0)] ?? parsed.text.length;
}

/** A line without its newline. */
export function lineAt(parsed: Segmented, line: number): string {
  return parsed.text.slice(lineOffset(parsed, line), lineOffset(parsed, line + 1)).replace(/\n$/, "");
}

export function isBlankLine(parsed: Segmented, line: number): boolean {
  return /^[ \t]*$/.test(lineAt(parsed, line));
}

/**
 * Index of the first segment that a continuation of the text may still change, given that the text ends with
 * a newline (the number of segments where none may): the last one, unless it is complete in itself, or one
 * before it where the last may turn out to be the title of a link definition.
 */
export function firstOpenSegment(parsed: Segmented): number {
  const { segments } = parsed;
  let open = segments.length - 1;
  const last = segments[open];
  if (last !== undefined && isComplete(parsed, last)) return segments.length;
  while (open > 0) {
    const before = segments[open - 1];
    const first = segments[open];
    if (before === undefined || first === undefined || !endsInDefinition(before)) break;
    if (before.endLine !== first.firstLine || !/^[ \t]*["'(]/.test(lineAt(parsed, first.firstLine))) break;
    open--;
  }
  return open;
}

/** Headings and rules end with their line; paragraphs, quotations and tables with the next blank line. */
function isComplete(parsed: Segmented, segment: Segment): boolean {
  switch (segment.tokens[0]?.type) {
    case "heading_open":
    case "hr":
      return !mayHeadTable(parsed, segment);
    case "paragraph_open":
    case "blockquote_open":
    case "table_open":
    case "reference_definition":
      return lineOffset(parsed, segment.endLine) < parsed.text.length && isBlankLine(parsed, segment.endLine);
    case "math_block":
      return segment.tokens[0].meta?.["closed"] === true && !mayHeadTable(parsed, segment);
    default:
      return false;
  }
}

/** Whether the segment's one line may still become the head of a table, which goes before every other block. */
export function mayHeadTable(parsed: Segmented, segment: Segment): boolean {
  const next = segment.firstLine + 1;
  return lineOffset(parsed, next) >= parsed.text.length && lineAt(parsed, segment.firstLine).includes("|");
}

function endsInDefinition(segment: Segment): boolean {
  return segment.tokens.findLast((token) => token.nesting >= 0)?.type === "reference_definition";
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
