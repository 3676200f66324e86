import type { MarkdownIt, StateInline } from "markdown-it";
import { isGrowing, type ParseEnv } from "./parse-env.ts";

/** What may follow the words of a link or picture up to the end of a growing text: an unfinished target. */
const unfinishedTarget =
  /^(?:\((?:\s*|<[^>\n]*|[^\s()]*(?:\([^\s()]*\)?)*[^\s()]*(?:\s+(?:"[^"]*"?|'[^']*'?|\([^)]*\)?)?)?)|\[[^\]]*)?$/;

/**
 * In a growing text a link whose target is not complete shows its words, and one whose words are not complete shows
 * them so far. While definitions may come, `[words][label]` shows its words.
 */
export function addOpenLinks(md: MarkdownIt): void {
  md.inline.ruler.after("image", "open_link", openLink);
}

function openLink(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const start = src.startsWith("![", pos) ? pos + 1 : pos;
  const { awaiting = false } = state.env as ParseEnv;
  if (src.charAt(start) !== "[" || silent || (!isGrowing(state) && !awaiting)) return false;
  if (/[A-Za-z0-9_)\]]/.test(src.charAt(pos - 1)) || src.startsWith("[citation:", start)) return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, start, false);
  if (labelEnd < 0) {
    if (!isGrowing(state)) return false;
    state.pos = start + 1;
    return true;
  }
  const rest = src.slice(labelEnd + 1, posMax);
  const reference = /^\[[^[\]\s][^[\]]{0,40}\]/.exec(rest)?.[0];
  if (isGrowing(state) && unfinishedTarget.test(rest)) {
    if (/^\[[ xX]?\]$/.test(src)) state.pos = posMax;
    else showWords(state, start + 1, labelEnd, posMax);
    return true;
  }
  if (!awaiting || reference === undefined || labelEnd === start + 1) return false;
  showWords(state, start + 1, labelEnd, labelEnd + 1 + reference.length);
  return true;
}

function showWords(state: StateInline, from: number, to: number, next: number): void {
  const { posMax } = state;
  state.pos = from;
  state.posMax = to;
  if (from < to) state.md.inline.tokenize(state);
  state.posMax = posMax;
  state.pos = next;
}
