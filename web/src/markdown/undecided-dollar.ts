import { looksLikeCode } from "./looks-like-code.ts";
import { looksLikeProse } from "./looks-like-prose.ts";

/** An amount followed by words and no sign of TeX: "5 or maybe 10", "100 万到 200 万". */
export function looksLikeMoney(content: string): boolean {
  return (
    /^\d[\d.,]*\s*(?:[A-Za-z]{2,}|[\u3400-\u9fff,;，；、])/.test(content) && !/[\\^_{}=+<>]/.test(content)
  );
}

/**
 * Whether a line below a blank one is no part of the formula above: it has signs of Markdown, or a sentence stands before any
 * sign of TeX. Fewer words are the name of a quantity (`Area of a circle = …`). More text on the line changes no "yes".
 */
export function leavesFormula(line: string): boolean {
  return /(?<![\^{*])\*\*|`|^[^\\^_{}=+<>&$]*(?:\$[^$]|[a-z]{2}[.!?]\s+[A-Z]|(?:[A-Za-z*'’-]+[,.;:]?\s+){7}[A-Za-z]|[\u3400-\u9fff]{12}|[，。；：！？、])/.test(
    line.slice(0, 200),
  );
}

/** A name such as $PATH, before a word or a sign that no formula begins with. */
const nameInText =
  /^[A-Z](?:[A-Z0-9]|_(?=[A-Z0-9]))+(?:\s*[\u3400-\u9fff]|\s+[A-Za-z]{2}|[/:,.;!?)"'`，。；：）])/;
/** `$x = 5 in Perl`, `$i < 5 then exit`, `($i < 5)`, `$i++`, `$1 = ¥7`, `$100+ a night`. */
const valueInText =
  /^[\w.,]+ ?(?:[<>=]=?|!=) ?(?:[\d.,]+(?: [A-Za-z]{2,}[,.;:]? [A-Za-z]{2}|\))|[¥€£₹])|^[a-z]\w*(?:\+\+|--)|^\d[\d.,]*\+(?:[/,.;:)]| ?[\u3400-\u9fff]| [A-Za-z]+ )/;
/** A name, an amount or a value, and a word or the start of a second. Whatever begins one of these is one too. */
const undecided =
  /^(?:[*@#?!]|\d[\d.,]{0,12}\+?|[A-Z_][A-Z0-9_]{0,30}|[A-Za-z][A-Za-z0-9]{0,30})(?:->?|\[|\+| ?(?:[<>=]=?|!=?) ?|(?: ?(?:[<>=]=?|!=) ?[\d.,]+;?|[,.;:])?\s?(?:[A-Za-z]{1,20}[,.;:]?\s?(?:a\s?)?[A-Za-z]?)?["'(]?)$/;

/**
 * What `$` and the text behind it, up to the end of a growing text, will most likely be. "wait": the next few
 * characters decide, and nothing is shown until then. More text changes no "text". `before`: what stands before the sign.
 */
export function judgeDollar(rest: string, before: string): "math" | "text" | "wait" {
  if (looksLikeCode(rest) || nameInText.test(rest) || valueInText.test(rest)) return "text";
  // All that a quotation holds; within a formula the stroke would be a derivative.
  if (/["']$/.test(before) && /^\w+["']/.test(rest)) return "text";
  if (closesEmphasis(rest, before)) return "text";
  const isAmount = /^\d/.test(rest);
  if (isAmount ? /^[\d.,]+\s*[A-Za-z]{2}/.test(rest) : looksLikeProse(rest) || rest.length > 300)
    return "text";
  if (/^[{(]/.test(rest)) return judgeBrackets(rest);
  if (undecided.test(rest)) return "wait";
  return isAmount ? judgeAmount(rest) : "math";
}

/** `$(grep "^a" f)`, `$(ls -l | wc)`: a command with what it is told, or whose output goes on. */
const commandInBrackets = /^\([a-z][a-z\d_-]+ (?:["'|]|--?[A-Za-z])/;

/**
 * Of a sign before brackets, which programs have too: `${HOME} then`, `$(date +%s)`, `$((1+2))`. Short ones wait for their end or
 * for a sign that only TeX has.
 */
function judgeBrackets(rest: string): "math" | "text" | "wait" {
  if (commandInBrackets.test(rest)) return "text";
  if (looksLikeProse(rest.replace(/^[{(]+[^{}()\\^]*[)}]*\s?=?/, ""))) return "text";
  const start = rest.slice(0, 40);
  if (/[\\^]/.test(start)) return "math";
  if (rest === start) return "wait";
  return /[=+<>_]/.test(start) ? "math" : "text";
}

/** Whether a name or amount is all that is left of emphasis that began before it: `**$20** a month`, `*$PATH*`. */
function closesEmphasis(rest: string, before: string): boolean {
  const signs = /^[A-Za-z\d][\w.,]{0,30}?\+?([*_]{1,3})(?![\w*])/.exec(rest)?.[1];
  if (signs === undefined) return false;
  const sign = `\\${signs.charAt(0)}`;
  const run = `${sign}{${signs.length}}`;
  // Those that are at the edge of a word; with every second one it is closed again.
  const edges = `(?<![\\w\\\\${sign}])${run}(?![\\s${sign}])|(?<![\\s\\\\${sign}])${run}(?![\\w${sign}])`;
  return (before.match(new RegExp(edges, "g")) ?? []).length % 2 === 1;
}

/** What only a formula can be: an index, a power, a command or one letter. No amount (US$5), no name (path$HOME). */
const surelyFormula = /^(?:[\\^_]|[A-Za-z](?:[_^]|$)|[^\d\s][^$]*[\\^])/;

/** Whether what stands between two signs, the first behind a letter or digit, is a formula: `25$^\circ$C`, `2$\pi$`, `n$^2$`, `3$n$个`. */
export function isFormulaBehindWord(content: string): boolean {
  return surelyFormula.test(content) && !looksLikeProse(content);
}

/** As `judgeDollar`, of a sign behind a letter or digit. */
export function judgeBehindWord(rest: string): "math" | "text" | "wait" {
  if (/^[A-Za-z]?$/.test(rest)) return "wait";
  return /^(?:[\\^_]|[A-Za-z][_^])/.test(rest) && !looksLikeProse(rest) && rest.length <= 300
    ? "math"
    : "text";
}

function judgeAmount(rest: string): "math" | "text" {
  if (/^\d[\d.,]*\s*[=+<>^_\\{*]/.test(rest)) return "math";
  return /^\d[\d.,]*[A-Za-z](?![A-Za-z])/.test(rest) && !/^\d[\d.,]*[kKmMbBtT](?![\^_])/.test(rest)
    ? "math"
    : "text";
}
