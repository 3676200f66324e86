import type { MarkdownIt, StateInline } from "markdown-it";
import { isGrowing } from "./parse-env.ts";

/** Where the code span that opens at `at` ends; null where none opens. */
export function endOfCodeSpan(text: string, at: number, max: number): number | null {
  const length = runLength(text, at);
  for (let next = text.indexOf("`", at + length); next >= 0 && next < max;) {
    const found = runLength(text, next);
    if (found === length) return next + found;
    next = text.indexOf("`", next + found);
  }
  return null;
}

/** Shows a code span that is open at the end of a growing text as code. */
export function addOpenCodeSpan(md: MarkdownIt): void {
  md.inline.ruler.before("backticks", "open_code", openCode);
}

function openCode(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charAt(pos) !== "`" || !isGrowing(state) || src.charAt(pos - 1) === "`") return false;
  const length = runLength(src, pos);
  const insideWord = /[A-Za-z0-9]/.test(src.charAt(pos - 1)) && /[A-Za-z0-9]/.test(src.charAt(pos + length));
  if (insideWord || endOfCodeSpan(src, pos, posMax) !== null) return false;
  const body = src.slice(pos + length).replace(/`+$/, "");
  if (!silent && body.trim() !== "") {
    const token = state.push("code_inline", "code", 0);
    token.markup = src.slice(pos, pos + length);
    token.content = body.replace(/\n/g, " ").replace(/^ (?=.*\S)/, "");
  }
  state.pos = posMax;
  return true;
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === "`") end++;
  return end - at;
}
