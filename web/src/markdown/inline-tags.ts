import type { MarkdownIt, StateInline } from "markdown-it";
import { keepRoomForClosers } from "./emphasis-rules.ts";
import { isGrowing } from "./parse-env.ts";

const opening = /<(sub|sup|kbd)>/iy;
const lineBreak = /<br\s*\/?>/iy;
const longestContent = 1000;
/** Of one whose end has not come and that begins with a sign: `<sub>, <sup>` in a sentence that only tells of them has none. */
const longestOfSigns = 80;

/**
 * The closed list of HTML that is not text: `<br>`, and `<sub>`, `<sup>`, `<kbd>` with their ends, without attributes.
 * Tokens `hardbreak`, `tag_open` and `tag_close`.
 */
export function addInlineTags(md: MarkdownIt): void {
  md.inline.ruler.before("autolink", "inline_tag", inlineTag);
}

function inlineTag(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charAt(pos) !== "<") return false;
  const end = endOfMatch(lineBreak, src, pos);
  if (end !== null && end <= posMax) {
    if (!silent) state.push("hardbreak", "br", 0);
    state.pos = end;
    return true;
  }
  opening.lastIndex = pos;
  const name = opening.exec(src)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const start = pos + name.length + 2;
  const close = findClose(src, name, start, posMax);
  if (close < 0 && !(isGrowing(state) && mayBeGrowing(src, start, posMax))) return false;
  const contentEnd = close < 0 ? posMax : close;
  if (!silent) {
    state.push("tag_open", name, 1);
    state.pos = start;
    state.posMax = contentEnd;
    state.md.inline.tokenize(state);
    state.posMax = posMax;
    if (close < 0) keepRoomForClosers(state);
    state.push("tag_close", name, -1);
  }
  state.pos = close < 0 ? posMax : contentEnd + name.length + 3;
  return true;
}

function mayBeGrowing(src: string, start: number, end: number): boolean {
  const first = src.charAt(start);
  const longest = /[\p{L}\p{N}*_`(<$\\]/u.test(first) ? longestContent : longestOfSigns;
  return end - start < longest && !/\s/.test(first);
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Where the tag that closes this one begins; tags of the same name in between come in pairs. */
function findClose(src: string, name: string, from: number, max: number): number {
  const text = src.slice(from, Math.min(max, from + longestContent)).toLowerCase();
  let depth = 1;
  for (const { 0: tag, index } of text.matchAll(new RegExp(`</?${name}>`, "g"))) {
    depth += tag.startsWith("</") ? -1 : 1;
    if (depth === 0) return from + index;
  }
  return -1;
}
