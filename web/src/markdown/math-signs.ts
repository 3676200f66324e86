import { endOfCodeSpan } from "./code-span-rule.ts";

/** A formula in the lines of a paragraph is at most this long. */
export const longestInlineMath = 2000;

const backslash = 92;
const backtick = 96;

/** Whether a line of TeX holds this sign; `\\]` is an end of a line in the formula and a bracket. */
export function hasSign(line: string, sign: string): boolean {
  for (let at = 0; at + sign.length <= line.length; at++) {
    if (line.startsWith(sign, at)) return true;
    if (line.charCodeAt(at) === backslash) at++;
  }
  return false;
}

const environments =
  /^\\begin\{((?:equation|align|alignat|alignedat|aligned|gather|gathered|multline|split|cases|array|CD|[pbvBV]?matrix)\*?)\}/;

/** The name of the environment that opens at the start of this text; undefined for none that is drawn. */
export function environmentAt(text: string): string | undefined {
  return environments.exec(text)?.[1];
}

/**
 * Reads on in the environment of this name: answers where in a text behind its opening sign it ends, null where it goes
 * on. One of the same name inside it ends first.
 */
export function followEnvironment(name: string): (text: string) => number | null {
  let depth = 1;
  return (text) => {
    for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", at + 2)) {
      if (text.startsWith(`\\begin{${name}}`, at)) depth++;
      if (text.startsWith(`\\end{${name}}`, at) && --depth === 0) return at + name.length + 6;
    }
    return null;
  };
}

/** Whether `$$` is open at the end of these lines. Of longer ones than a formula can be, it is not asked. */
export function opensDollars(lines: string): boolean {
  if (lines.length > longestInlineMath) return false;
  let open = false;
  for (let at = 0; at < lines.length; at++) {
    const code = lines.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === backtick) at = (endOfCodeSpan(lines, at, lines.length) ?? at + 1) - 1;
    else if (lines.startsWith("$$", at)) {
      open = !open;
      at++;
    }
  }
  return open;
}
