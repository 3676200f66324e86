import { lineOffset, type Segment, type Segmented } from "./block-segments.ts";
import type { FenceMeta } from "./block-rules.ts";
import type { Token } from "./markdown-parser.ts";
import {
  appendCode,
  closesFence,
  fenceContentLine,
  noCode,
  toCodeText,
  type CodeText,
  type FenceSigns,
} from "./open-fence.ts";

/**
 * Lines of a code block in a list item, taken out of the tail, so that the item can be parsed again and again without
 * them. They stood at `at`, right behind the line that opens the block.
 */
export interface LiftedCode {
  at: number;
  code: CodeText;
}

/** The code block that is still open: its lines are lifted as they become whole. */
export interface OpenLift {
  at: number;
  signs: FenceSigns;
  /** Columns before the opening signs; as many are no part of a line of code. */
  indent: number;
  /** A line with fewer columns leaves the item. */
  blockIndent: number;
}

/** Meta of a `fence` token whose lines were lifted. */
interface LiftedMeta extends FenceMeta {
  code?: CodeText;
}

/** The code of a fence or indented block. */
export function codeOf(token: Token): CodeText {
  return (token.meta as LiftedMeta | null)?.code ?? toCodeText(token.content);
}

/** Gives the code blocks of a parsed tail the lines that were lifted from them. */
export function restoreCode(parsed: Segmented, lifted: readonly LiftedCode[]): void {
  if (lifted.length === 0) return;
  const byStart = new Map(lifted.map(({ at, code }) => [at, code]));
  for (const token of parsed.segments.flatMap((segment) => segment.tokens)) {
    if (token.type !== "fence" || token.map === null) continue;
    const code = byStart.get(lineOffset(parsed, token.map[0] + 1));
    if (code === undefined) continue;
    const whole = appendCode(code, linesOf(token.content));
    token.meta = { ...token.meta, code: whole };
  }
}

/** The open code block at the end of a list, when lines can be lifted from it; one in a quotation has no lines of its own. */
export function liftFrom(parsed: Segmented, list: Segment): OpenLift | null {
  const fence = list.tokens.findLast((token) => token.nesting >= 0);
  const meta = fence?.meta as FenceMeta | null | undefined;
  if (fence?.type !== "fence" || fence.map === null || meta == null || meta.closed) return null;
  if (fence.map[1] !== list.endLine || list.tokens.some((token) => token.type === "blockquote_open"))
    return null;
  const { indent, blockIndent } = meta;
  const signs = { marker: fence.markup.charAt(0), width: fence.markup.length };
  return { at: lineOffset(parsed, fence.map[0] + 1), signs, indent, blockIndent };
}

/**
 * Lifts the whole lines of code behind `lift.at`. `left`: the last line looked at ends the block; it stays in the text.
 * Blank lines stay until a line of code follows, since at the end of an item they make its list loose.
 */
export function liftLines(
  lift: OpenLift,
  text: string,
  before: CodeText,
): { code: CodeText; length: number; left: boolean } {
  const lines: string[] = [];
  let pending: string[] = [];
  let length = 0;
  let at = lift.at;
  let left = false;
  for (let newline = text.indexOf("\n", at); newline >= 0; newline = text.indexOf("\n", at)) {
    const line = text.slice(at, newline);
    const isBlank = /^[ \t]*$/.test(line);
    left = !isBlank && endsBlock(lift, line);
    if (left) break;
    pending.push(fenceContentLine(lift.indent, `${line}\n`));
    at = newline + 1;
    if (isBlank) continue;
    lines.push(...pending);
    pending = [];
    length = at - lift.at;
  }
  return { code: appendCode(before, lines), length, left };
}

function endsBlock(lift: OpenLift, line: string): boolean {
  const columns = columnsBefore(line);
  if (columns < lift.blockIndent) return true;
  return columns - lift.blockIndent < 4 && closesFence(lift.signs, line.trimStart());
}

function columnsBefore(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === "\t") columns += 4 - (columns % 4);
    else if (character === " ") columns++;
    else break;
  }
  return columns;
}

/** The lifted code after `length` characters were cut off the front of the text. */
export function moveLiftedCode(lifted: readonly LiftedCode[], length: number): readonly LiftedCode[] {
  if (lifted.length === 0) return lifted;
  return lifted.filter(({ at }) => at > length).map(({ at, code }) => ({ at: at - length, code }));
}

/** The lifted code with that of one block replaced. */
export function putLiftedCode(
  lifted: readonly LiftedCode[],
  at: number,
  code: CodeText,
): readonly LiftedCode[] {
  return [...lifted.filter((other) => other.at !== at), { at, code }];
}

/** The code already lifted from the block that begins at `at`. */
export function liftedAt(lifted: readonly LiftedCode[], at: number): CodeText {
  return lifted.find((other) => other.at === at)?.code ?? noCode;
}

function linesOf(content: string): readonly string[] {
  return content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
