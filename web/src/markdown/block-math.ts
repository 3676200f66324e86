import type { MarkdownIt, StateBlock } from "markdown-it";
import { environmentAt, followEnvironment, hasSign, opensDollars } from "./math-signs.ts";
import { indentOf, isGrowingBlock, lineText, mayWait, type ParseEnv } from "./parse-env.ts";
import { leavesFormula } from "./undecided-dollar.ts";

/** Meta of a `math_block` token. Not closed: the growing text ends in it. */
export interface MathBlockMeta {
  closed: boolean;
}

interface Opening {
  markup: string;
  close: string;
  /** What stands behind the opening sign on its line. */
  rest: string;
  /** The signs are part of the formula. */
  keepsSigns: boolean;
  /** Of each line in turn what stands before the closing sign at its end; null: none, undefined: words follow it. */
  read(line: string): string | null | undefined;
}

const longestBlockLines = 120;

/**
 * Teaches markdown-it blocks between `$$` and `$$`, `\[` and `\]`, `\begin{…}` and `\end{…}`: token `math_block` with
 * the TeX in `content`. A line opens one only when its end follows within `longestBlockLines`; else it is text. Words
 * behind the end make all of it a paragraph, with the formula in its lines. While the text still grows,
 * `env.undecidedLine` tells the first line whose end may yet come.
 */
export function addBlockMath(md: MarkdownIt): void {
  md.block.ruler.before("fence", "math_block", mathBlock, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
}

/**
 * Closed on its own line a formula is one line; opened alone it may hold blank lines (but no heading, code fence or
 * words after one); opened with content it runs at most to the next blank line.
 */
function mathBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (indentOf(state, startLine) >= 4) return false;
  const opening = readOpening(lineText(state, startLine));
  if (opening === null) return false;
  const { close, rest, markup } = opening;
  if (markup === "$$" && silent && closesInParagraph(state, startLine)) return false;
  const onFirstLine = opening.read(rest);
  if (onFirstLine?.trim() === "" || onFirstLine === undefined) return false;

  const lines = [onFirstLine ?? rest];
  let closed = onFirstLine !== null;
  let nextLine = startLine + 1;
  /** How many lines stand above the first blank one. */
  let untilBlank = Infinity;
  const alone = rest.trim() === "" || opening.keepsSigns;
  const lastLine = Math.min(endLine, startLine + longestBlockLines);
  for (; !closed && nextLine < lastLine; nextLine++) {
    if (
      state.isEmpty(nextLine)
        ? !alone || !goesOnAfterBlank(state, nextLine, endLine)
        : leavesContainer(state, nextLine)
    )
      return false;
    const line = lineText(state, nextLine);
    const before = opening.read(line);
    if (before === undefined) return false;
    closed = before !== null;
    if (state.isEmpty(nextLine)) untilBlank = Math.min(untilBlank, lines.length);
    else if (lines.length > untilBlank && leavesFormula(before ?? line)) return false;
    lines.push(before ?? line);
  }
  if (!closed && !isOpenAtEnd(state, startLine, nextLine)) return false;
  if (silent) return true;
  // Lines below a blank one may yet be words: they wait for a sign of TeX.
  while (!closed && mayWait(state) && lines.length > untilBlank && !/[\\^_{}=+<>]/.test(lines.at(-1) ?? ""))
    lines.pop();

  const text = lines.join("\n");
  const body = closed ? text : text.replace(/(?:[$*]|\\(?:e(?:nd?)?(?:\{[A-Za-z]*\*?)?)?)$/, "");
  state.line = nextLine;
  const token = state.push("math_block", "math", 0);
  token.content = opening.keepsSigns ? `${markup}${body}${closed ? close : ""}` : body.trim();
  token.markup = markup;
  token.info = close;
  token.map = [startLine, nextLine];
  token.meta = { closed } satisfies MathBlockMeta as unknown as Record<string, unknown>;
  return true;
}

function readOpening(line: string): Opening | null {
  if (line.startsWith("$$")) return openingOf("$$", "$$", line);
  if (line.startsWith("\\[")) return openingOf("\\[", "\\]", line);
  const name = environmentAt(line);
  if (name === undefined) return null;
  const close = `\\end{${name}}`;
  const follow = followEnvironment(name);
  const read = (text: string): string | null | undefined => {
    const end = follow(text);
    if (end === null) return null;
    return /^[.,;:，。；：]?\s*$/.test(text.slice(end)) ? text.slice(0, end - close.length) : undefined;
  };
  return { ...openingOf(`\\begin{${name}}`, close, line), keepsSigns: true, read };
}

function openingOf(markup: string, close: string, line: string): Opening {
  const read = (text: string): string | null | undefined =>
    splitAtClose(text, close) ?? (hasSign(text, close) ? undefined : null);
  return { markup, close, rest: line.slice(markup.length), keepsSigns: false, read };
}

/** Whether `$$` at the start of a line ends a formula that began in the lines of the paragraph above. */
function closesInParagraph(state: StateBlock, line: number): boolean {
  return (
    state.parentType === "paragraph" &&
    opensDollars(state.src.slice(state.bMarks[state.line], state.bMarks[line]))
  );
}

/** Whether the text ends in a formula that may still be closed; noted for the reader of growing text. */
function isOpenAtEnd(state: StateBlock, startLine: number, nextLine: number): boolean {
  if (nextLine < state.lineMax || nextLine - startLine >= longestBlockLines) return false;
  const env = state.env as ParseEnv;
  env.undecidedLine = Math.min(env.undecidedLine ?? startLine, startLine);
  return isGrowingBlock(state);
}

/** What stands before a closing sign at the line's end; punctuation after the sign moves into the formula. */
function splitAtClose(line: string, close: string): string | null {
  const trimmed = line.trimEnd();
  const punctuation =
    /[.,;:，。；：]$/.test(trimmed) && trimmed.slice(0, -1).endsWith(close) ? trimmed.slice(-1) : "";
  const body = trimmed.slice(0, trimmed.length - punctuation.length);
  if (!body.endsWith(close)) return null;
  const before = body.slice(0, -close.length);
  return before.includes(close) ? null : before + punctuation;
}

function goesOnAfterBlank(state: StateBlock, line: number, endLine: number): boolean {
  const next = state.skipEmptyLines(line);
  if (next >= endLine || leavesContainer(state, next)) return true;
  return !/^(?:#{1,6}\s|```|~~~)/.test(lineText(state, next));
}

function leavesContainer(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) < state.blkIndent;
}
