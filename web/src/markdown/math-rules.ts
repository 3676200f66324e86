import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** Meta of a `math_block` token. Not closed: the text ended first, so its source is shown. */
export interface MathBlockMeta {
  closed: boolean;
}

const longestInlineMath = 2000;
const dollar = 36;
const backslash = 92;

/**
 * Teaches markdown-it `$…$`, `$$…$$`, `\(…\)` and `\[…\]`: inline tokens `math_inline` and `math_display`,
 * block token `math_block`, each with the TeX in `content` and the source with its fences in `markup`/`info`.
 * A block is decided by its first line alone, as a code fence is, so that a growing text never changes what
 * stands before it.
 */
export function addMath(md: MarkdownIt): void {
  md.inline.ruler.before("escape", "math_backslash", backslashMath);
  md.inline.ruler.before("escape", "math_dollar", dollarMath);
  md.block.ruler.before("fence", "math_block", mathBlock, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
}

function backslashMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== backslash) return false;
  const open = src.slice(pos, pos + 2);
  if (open !== "\\(" && open !== "\\[") return false;
  const close = open === "\\(" ? "\\)" : "\\]";
  const end = findClose(src, close, pos + 2, posMax);
  if (end < 0 || src.slice(pos + 2, end).trim() === "") return false;
  if (!silent) pushMath(state, open === "\\[" ? "math_display" : "math_inline", open, close, end);
  state.pos = end + 2;
  return true;
}

function dollarMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== dollar) return false;
  if (src.charCodeAt(pos + 1) === dollar && pos + 1 < posMax) {
    const end = findClose(src, "$$", pos + 2, posMax);
    if (end < 0 || src.slice(pos + 2, end).trim() === "") return skipDollars(state, silent);
    if (!silent) pushMath(state, "math_display", "$$", "$$", end);
    state.pos = end + 2;
    return true;
  }
  if (!canOpenDollar(src, pos, posMax)) return false;
  const end = findDollarClose(src, pos + 1, posMax);
  if (end < 0 || looksLikeMoney(src.slice(pos + 1, end))) return false;
  if (!silent) pushMath(state, "math_inline", "$", "$", end);
  state.pos = end + 1;
  return true;
}

/** `$$` that opens nothing is text as a whole; its second sign must not open a formula of its own. */
function skipDollars(state: StateInline, silent: boolean): true {
  if (!silent) state.pending += "$$";
  state.pos += 2;
  return true;
}

function pushMath(state: StateInline, type: string, open: string, close: string, end: number): void {
  const token = state.push(type, "math", 0);
  token.content = state.src.slice(state.pos + open.length, end).trim();
  token.markup = open;
  token.info = close;
}

function findClose(src: string, close: string, from: number, max: number): number {
  const limit = Math.min(max, from + longestInlineMath);
  for (let at = from; at + close.length <= limit; at++) {
    if (src.startsWith(close, at)) return at;
    if (src.charCodeAt(at) === backslash) at++;
  }
  return -1;
}

/** Whether the sign at `pos` may open a formula: not after a letter or digit (US$5), not before a space. */
export function canOpenDollar(src: string, pos: number, max: number): boolean {
  if (pos + 1 >= max || /\s/.test(src[pos + 1] ?? " ")) return false;
  return pos === 0 || !/[A-Za-z0-9$\\]/.test(src[pos - 1] ?? " ");
}

/**
 * The next sign closes, or none does: it follows no space and precedes no digit, so "$5 and $10" holds no formula
 * and neither does what stands between an amount and the next formula.
 */
export function findDollarClose(src: string, from: number, max: number): number {
  const limit = Math.min(max, from + longestInlineMath);
  for (let at = from; at < limit; at++) {
    const code = src.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === dollar) {
      const isAfterText = at > from && !/\s/.test(src[at - 1] ?? " ");
      return isAfterText && !/[0-9]/.test(at + 1 < max ? (src[at + 1] ?? "") : "") ? at : -1;
    }
  }
  return -1;
}

/** An amount followed by words and no sign of TeX: "5 or maybe 10", "100 万到 200 万". */
export function looksLikeMoney(content: string): boolean {
  return (
    /^\d[\d.,]*\s*(?:[A-Za-z]{2,}|[\u3400-\u9fff,;，；、])/.test(content) && !/[\\^_{}=+<>]/.test(content)
  );
}

/**
 * A block opens at a line that begins with `$$` or `\[`. Closed on its own line it is one line; opened alone it
 * runs to a line ending in the closing sign, over blank lines too (but not past a heading or code fence after
 * one); opened with content it runs at most to the next blank line.
 */
function mathBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (indentOf(state, startLine) >= 4) return false;
  const first = lineText(state, startLine);
  const open = first.startsWith("$$") ? "$$" : first.startsWith("\\[") ? "\\[" : null;
  if (open === null) return false;
  const close = open === "$$" ? "$$" : "\\]";
  const rest = first.slice(2);
  const onFirstLine = splitAtClose(rest, close);
  if (onFirstLine === null && rest.includes(close)) return false;
  if (onFirstLine !== null && onFirstLine.trim() === "") return false;
  if (silent) return true;

  const lines = [onFirstLine ?? rest];
  let closed = onFirstLine !== null;
  let nextLine = startLine + 1;
  const alone = rest.trim() === "";
  for (; !closed && nextLine < endLine; nextLine++) {
    if (
      state.isEmpty(nextLine)
        ? !alone || !goesOnAfterBlank(state, nextLine, endLine)
        : leavesContainer(state, nextLine)
    )
      break;
    const line = lineText(state, nextLine);
    const before = splitAtClose(line, close);
    closed = before !== null;
    lines.push(before ?? line);
  }
  state.line = nextLine;
  const token = state.push("math_block", "math", 0);
  token.content = lines.join("\n").trim();
  token.markup = open;
  token.info = close;
  token.map = [startLine, nextLine];
  token.meta = { closed } satisfies MathBlockMeta as unknown as Record<string, unknown>;
  return true;
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

function indentOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent;
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}
