/** An amount followed by words and no sign of TeX: "5 or maybe 10", "100 万到 200 万". */
export function looksLikeMoney(content: string): boolean {
  return (
    /^\d[\d.,]*\s*(?:[A-Za-z]{2,}|[\u3400-\u9fff,;，；、])/.test(content) && !/[\\^_{}=+<>]/.test(content)
  );
}

/** Words one after another and no sign of TeX among them. */
export function looksLikeProse(content: string): boolean {
  const words = /^[^\\^_{}=+<>$]*/.exec(content)?.[0] ?? "";
  return /[A-Za-z]{2,}[,.;:]?\s+[A-Za-z]{2,}|[\u3400-\u9fff]/.test(words);
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

/**
 * What `$` and the text behind it, up to the end of a growing text, will most likely be. "wait": the next few
 * characters decide, and nothing is shown until then.
 */
export function judgeDollar(rest: string): "math" | "text" | "wait" {
  if (/^\d/.test(rest)) return judgeAmount(rest);
  if (/^[A-Z_][A-Z0-9_]{0,30}\s?$/.test(rest)) return "wait";
  // A name such as $PATH, before a word or a sign that no formula begins with.
  if (
    /^[A-Z](?:[A-Z0-9]|_(?=[A-Z0-9]))+(?:\s*[\u3400-\u9fff]|\s+[A-Za-z]{2}|[/:,.;!?)"'`，。；：）])/.test(
      rest,
    )
  )
    return "text";
  return looksLikeProse(rest) || rest.length > 300 ? "text" : "math";
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

function judgeAmount(rest: string): "math" | "text" | "wait" {
  if (/^\d[\d.,]{0,12}\s?[A-Za-z]?$/.test(rest)) return "wait";
  if (/^\d[\d.,]*\s*[=+<>^_\\{*]/.test(rest)) return "math";
  return /^\d[\d.,]*[A-Za-z](?![A-Za-z])/.test(rest) && !/^\d[\d.,]*[kKmMbBtT](?![\^_])/.test(rest)
    ? "math"
    : "text";
}
