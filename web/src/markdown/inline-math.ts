import type { MarkdownIt, StateInline } from "markdown-it";
import { endOfCodeSpan } from "./code-span-rule.ts";
import { looksLikeCode } from "./looks-like-code.ts";
import { looksLikeProse } from "./looks-like-prose.ts";
import { environmentAt, followEnvironment, longestInlineMath } from "./math-signs.ts";
import { isGrowing, mayWait, type Growing, type ParseEnv } from "./parse-env.ts";
import { isFormulaBehindWord, judgeBehindWord, judgeDollar, looksLikeMoney } from "./undecided-dollar.ts";

/** Meta of an inline formula. Open: its end has not come, or never will. */
export interface InlineMathMeta {
  open: Growing;
}

const dollar = 36;
const backslash = 92;
const backtick = 96;

/**
 * Teaches markdown-it `$…$`, ``$`…`$``, `$$…$$`, `\(…\)` and `\[…\]` in a line: tokens `math_inline` and `math_display` with the
 * TeX in `content` and the signs around it in `markup` and `info`; those of an environment, which
 * stands at the start of a line, are part of the TeX. No formula between other signs reaches into a code span.
 */
export function addInlineMath(md: MarkdownIt): void {
  md.inline.ruler.before("escape", "math_backslash", backslashMath);
  md.inline.ruler.before("escape", "math_dollar", dollarMath);
  md.inline.ruler.before("escape", "math_environment", environmentMath);
}

function backslashMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== backslash) return false;
  const open = src.slice(pos, pos + 2);
  if (open !== "\\(" && open !== "\\[") return false;
  const close = open === "\\(" ? "\\)" : "\\]";
  const type = open === "\\[" ? "math_display" : "math_inline";
  const end = findClose(src, close, pos + 2, posMax, isGrowing(state));
  if (end >= 0) return pushMath(state, silent, { type, open, close, end });
  const rest = src.slice(pos + 2);
  if (end === notFound || !isGrowing(state) || looksLikeProse(rest)) return false;
  return pushOpenMath(state, silent, { type, open, close });
}

function dollarMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== dollar) return false;
  if (src.charCodeAt(pos + 1) === dollar && pos + 1 < posMax) return doubleDollarMath(state, silent);
  if (!canOpenDollar(src, pos, posMax)) return false;
  if (src.charCodeAt(pos + 1) === backtick) return backtickMath(state, silent);
  const isBehindWord = /[A-Za-z0-9]/.test(src.charAt(pos - 1));
  const end = findDollarClose(src, pos + 1, posMax, isGrowing(state));
  if (end >= 0) {
    const content = src.slice(pos + 1, end);
    const isFormula = isBehindWord
      ? isFormulaBehindWord(content)
      : !looksLikeMoney(content) && !looksLikeCode(content);
    return isFormula && pushMath(state, silent, { ...dollars, end });
  }
  if (end === notFound || !isGrowing(state)) return false;
  const rest = src.slice(pos + 1);
  const judgement = isBehindWord ? judgeBehindWord(rest) : judgeDollar(rest, src.slice(0, pos));
  if (judgement === "text" || (judgement === "wait" && !mayWait(state))) return false;
  return pushOpenMath(state, silent || judgement === "wait", dollars);
}

/** GitHub's ``$`…`$``, if it is short. While its end may yet come, nothing is shown: it may as well be code behind a sign. */
function backtickMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const [signs = "", close] =
    /^\$`(?:[^`\s][^`]{0,199}(?:(?<=\S)`(\$)?)?)?/.exec(src.slice(pos, posMax)) ?? [];
  const end = pos + signs.length;
  if (close !== undefined)
    return pushMath(state, silent, { ...dollars, open: "$`", close: "`$", end: end - 2 });
  return mayWait(state) && isGrowing(state) && end === posMax && pushOpenMath(state, true, dollars);
}

function doubleDollarMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const end = findClose(src, "$$", pos + 2, posMax, isGrowing(state));
  const signs = { type: "math_display", open: "$$", close: "$$" };
  if (end >= 0 && src.slice(pos + 2, end).trim() !== "") return pushMath(state, silent, { ...signs, end });
  if (end === endOfText && isGrowing(state) && !looksLikeProse(src.slice(pos + 2)))
    return pushOpenMath(state, silent, signs);
  // Signs that open nothing are text as a whole: the second must not open a formula of its own.
  if (!silent) state.pending += "$$";
  state.pos += 2;
  return true;
}

/** Where words follow its end: all others are blocks. */
function environmentMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const text = src.slice(pos, Math.min(posMax, pos + longestInlineMath));
  const name = startsLine(src, pos) ? environmentAt(text) : undefined;
  if (name === undefined) return false;
  const begin = name.length + 8;
  const end = followEnvironment(name)(text.slice(begin));
  if (end === null) return false;
  // An empty one, or with dots or words alone, is spoken of.
  const content = text.slice(begin, begin + end - name.length - 6);
  if (!/[^\s.…]/.test(content) || (!/[\\^_{}=+<>&]/.test(content) && looksLikeProse(content))) return false;
  if (!silent) state.push("math_display", "math", 0).content = text.slice(0, begin + end);
  state.pos += begin + end;
  return true;
}

function startsLine(src: string, pos: number): boolean {
  let at = pos;
  while (src.charAt(at - 1) === " ") at--;
  return at === 0 || src.charAt(at - 1) === "\n";
}

interface Signs {
  type: string;
  open: string;
  close: string;
}

const dollars: Signs = { type: "math_inline", open: "$", close: "$" };

function pushMath(state: StateInline, silent: boolean, signs: Signs & { end: number }): boolean {
  const { type, open, close, end } = signs;
  const content = state.src.slice(state.pos + open.length, end).trim();
  if (content === "") return false;
  if (!silent) Object.assign(state.push(type, "math", 0), { content, markup: open, info: close });
  state.pos = end + close.length;
  return true;
}

/** A formula up to the end of a growing text; nothing where only its opening sign stands there, or where it must be `silent`. */
function pushOpenMath(state: StateInline, silent: boolean, { type, open, close }: Signs): boolean {
  const content = state.src
    .slice(state.pos + open.length)
    .replace(/[$\\\s]+$/, "")
    .trim();
  if (!silent && content !== "") {
    const meta: InlineMathMeta = { open: (state.env as ParseEnv).growing ?? false };
    Object.assign(state.push(type, "math", 0), { content, markup: open, info: close, meta });
  }
  state.pos = state.posMax;
  return true;
}

/** No closing sign, though there may be one in more text. */
const endOfText = -1;
/** No closing sign, whatever follows. */
const notFound = -2;

function findClose(src: string, close: string, from: number, max: number, growing: boolean): number {
  const limit = Math.min(max, from + longestInlineMath);
  for (let at = from; at + close.length <= limit; at++) {
    if (src.startsWith(close, at)) return at;
    const code = src.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === backtick && (growing || endOfCodeSpan(src, at, max) !== null)) return notFound;
  }
  return limit < max ? notFound : endOfText;
}

/** Whether the sign at `pos` may open a formula: not before a space, and behind a letter or digit before no digit (US$5). */
function canOpenDollar(src: string, pos: number, max: number): boolean {
  if (pos + 1 >= max || /\s/.test(src.charAt(pos + 1))) return false;
  const before = src.charAt(pos - 1);
  return !/[$\\]/.test(before) && !(/[A-Za-z0-9]/.test(before) && /\d/.test(src.charAt(pos + 1)));
}

/**
 * What stands before a sign that opens and the one character behind it, with a break between: `"$5" and ($x$)`, `**$5** or
 * **$x$**`, `"$a" "$(b)"`, `$a/$b`, `$a${b}`, `$a，$b`. Strokes are of a formula behind a letter, a bracket or another one.
 */
const opensAgain =
  /(?:[([“、-】（-；]|(?<![\w)\]}'\\|])["'‘]|\s[*_]{1,3})\n[\w\\(@#*?!`]$|[/:=]\n[A-Za-z_(]$|\n\{$/;

/**
 * The next sign closes, or none does: it follows no space and precedes no digit, so "$5 and $10" holds no formula
 * and neither does what stands between an amount and the next formula. Behind a command a digit may stand (10$\sim$20).
 */
function findDollarClose(src: string, from: number, max: number, growing: boolean): number {
  const limit = Math.min(max, from + longestInlineMath);
  for (let at = from; at < limit; at++) {
    const code = src.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === backtick && (growing || endOfCodeSpan(src, at, max) !== null)) return notFound;
    else if (code === dollar) {
      const isAfterText = at > from && !/\s/.test(src.charAt(at - 1));
      const behind = at + 1 < max ? src.charAt(at + 1) : "";
      const before = src.slice(Math.max(from, at - 4), at);
      if (opensAgain.test(`${before}\n${behind}`)) return notFound;
      const isBeforeDigit = /\d/.test(behind);
      return isAfterText && (!isBeforeDigit || /^\\[a-z]+$/i.test(src.slice(from, at))) ? at : notFound;
    }
  }
  return limit < max ? notFound : endOfText;
}
