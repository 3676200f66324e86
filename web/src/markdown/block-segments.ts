import { parseBlocks, type Token } from "./markdown-parser.ts";
import type { ParseEnv } from "./parse-env.ts";

/** One block of a parse, with the lines it covers. */
export interface Segment {
  tokens: Token[];
  firstLine: number;
  endLine: number;
}

/** A parsed text: its top-level segments and where each line begins. */
export interface Segmented {
  text: string;
  lineStarts: number[];
  segments: Segment[];
  /** First line of what may become a block formula with more text. */
  undecidedLine: number;
}

/**
 * Parses `text` as it stands behind `prefix` (lines that set the stage: the head of an open table, a stand-in
 * for the items of an open list). Line numbers count from the first line of `text`.
 */
export function parseSegments(prefix: string, text: string, env: ParseEnv): Segmented {
  const tokens = parseBlocks(prefix + text, env);
  const prefixLines = countLines(prefix);
  for (const token of tokens) {
    if (token.map !== null && prefixLines > 0)
      token.map = [token.map[0] - prefixLines, token.map[1] - prefixLines];
  }
  const undecidedLine = (env.undecidedLine ?? Infinity) - prefixLines;
  return { text, lineStarts: findLineStarts(text), segments: cutSegments(tokens, 0), undecidedLine };
}

/** The blocks at one level of nesting, each with its tokens. */
export function cutSegments(tokens: readonly Token[], level: number): Segment[] {
  const segments: Segment[] = [];
  let current: Segment | null = null;
  for (const token of tokens) {
    if (current === null) {
      current = { tokens: [], firstLine: token.map?.[0] ?? 0, endLine: token.map?.[1] ?? 0 };
      segments.push(current);
    }
    current.tokens.push(token);
    if (token.level === level && token.nesting <= 0) current = null;
  }
  return segments;
}

/** The parts of a segment that open with a token of `type` at `level`: items of a list, rows of a table. */
export function spansOf(segment: Segment, type: string, level: number): Segment[] {
  const spans: Segment[] = [];
  let start = -1;
  segment.tokens.forEach((token, index) => {
    if (token.level !== level) return;
    if (token.type === type) start = index;
    if (token.nesting === -1 && start >= 0 && segment.tokens[start]?.tag === token.tag) {
      const [firstLine, endLine] = segment.tokens[start]?.map ?? [0, 0];
      spans.push({ tokens: segment.tokens.slice(start, index + 1), firstLine, endLine });
      start = -1;
    }
  });
  return spans;
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
 * before it where the last may turn out to be the title of a link definition, or the first that may become a formula.
 */
export function firstOpenSegment(parsed: Segmented): number {
  const { segments, undecidedLine } = parsed;
  const undecided = segments.findIndex((segment) => segment.endLine > undecidedLine);
  let open = segments.length - 1;
  const last = segments[open];
  if (undecided >= 0) open = Math.min(open, undecided);
  else if (last !== undefined && isComplete(parsed, last)) return segments.length;
  while (open > 0) {
    const before = segments[open - 1];
    const first = segments[open];
    if (before === undefined || first === undefined || !endsInDefinition(before)) break;
    if (before.endLine !== first.firstLine || !mayBeTitle(lineAt(parsed, first.firstLine))) break;
    open--;
  }
  return open;
}

/** Whether a line may turn out to be the title of the link definition above it. */
export function mayBeTitle(line: string): boolean {
  return /^[ \t]*["'(]/.test(line);
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

export function endsInDefinition(segment: Segment): boolean {
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
