import type { MarkdownIt, StateInline } from "markdown-it";
import { isGrowing, type ParseEnv } from "./parse-env.ts";

/** Meta of a picture in the words of a link whose end has not come: it is a part of that. */
export interface PictureMeta {
  isInLink: true;
}

/** What may follow the words of a link or picture up to the end of a growing text: an unfinished target. */
const unfinishedTarget =
  /^(?:\(\s*(?:(?=\S)(?:<[^>\n]*|<[^>\n]*>(?:\s+(?:"(?:\\[^]|[^"\\])*\\?"?|'(?:\\[^]|[^'\\])*\\?'?|\((?:\\[^]|[^)\\])*\\?\)?)?)?|[^\s()]*(?:\((?:[^\s()]|\([^\s()]*\))*\)[^\s()]*)*(?:\((?:[^\s()]|\([^\s()]*\))*(?:\([^\s()]*)?|\s+(?:"(?:\\[^]|[^"\\])*\\?"?|'(?:\\[^]|[^'\\])*\\?'?|\((?:\\[^]|[^)\\])*\\?\)?)?)?))?|\[[^\]]*)?$/;

const letter = /[A-Za-z0-9_)\]]/;
/**
 * Behind a letter brackets are most likely an index (`rows[2]`, `table[key](value`), unless what stands in them is long, or
 * what follows looks like a target (`a tenth[2](https://…`), is long, or has more parentheses or a title.
 */
const linkBehindLetter =
  /!?\[(?:[^[\]\n]{41}|[^[\]\n]{1,40}\]\((?:[#./<]|[a-z][\w+.-]+:|[^\s()]{30}|[^\s()]*(?:\(| +["'(])))/y;

/**
 * In a growing text a link whose target is not complete shows its words, and one whose words are not complete shows
 * them so far. While definitions may come, `[words][label]` and `[words][]` show their words.
 */
export function addOpenLinks(md: MarkdownIt): void {
  md.inline.ruler.after("image", "open_link", openLink);
}

function openLink(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const start = src.startsWith("![", pos) ? pos + 1 : pos;
  const { awaiting = false } = state.env as ParseEnv;
  if (src.charAt(start) !== "[" || silent || (!isGrowing(state) && !awaiting)) return false;
  if (/^\[[Cc]itation ?[:：]/.test(src.slice(start, start + 12))) return false;
  linkBehindLetter.lastIndex = pos;
  if (letter.test(src.charAt(pos - 1)) && !linkBehindLetter.test(src)) return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, start, false);
  if (isGrowing(state) && /^\[[ xX]?\]?$/.test(src)) {
    state.pos = posMax;
    return true;
  }
  if (labelEnd < 0) {
    if (!isGrowing(state)) return false;
    if (src.startsWith("![", start + 1)) showWords(state, start + 1, posMax, posMax);
    else state.pos = start + 1;
    return true;
  }
  const rest = src.slice(labelEnd + 1, posMax);
  if (isGrowing(state) && unfinishedTarget.test(rest)) {
    showWords(state, start + 1, labelEnd, posMax);
    return true;
  }
  const reference =
    awaiting && labelEnd > start + 1 ? awaitedReference(state, src.slice(start + 1, labelEnd), rest) : null;
  if (reference === null) return false;
  showWords(state, start + 1, labelEnd, labelEnd + 1 + reference.length);
  return true;
}

/** The `[label]` at the start of `rest`, or `[]` behind words that are one, when no definition of it has come. */
function awaitedReference(state: StateInline, words: string, rest: string): string | null {
  const [whole, named] = /^\[((?:[^[\]\s][^[\]]{0,40})?)\]/.exec(rest) ?? [];
  const label = named === "" ? words : named;
  if (whole === undefined || label === undefined) return null;
  const known = (state.env as ParseEnv).references?.[state.md.utils.normalizeReference(label)];
  return known === undefined ? whole : null;
}

function showWords(state: StateInline, from: number, to: number, next: number): void {
  const { posMax, tokens } = state;
  const before = tokens.length;
  state.pos = from;
  state.posMax = to;
  if (from < to) state.md.inline.tokenize(state);
  for (const token of tokens.slice(before))
    if (token.type === "image") token.meta = { isInLink: true } satisfies PictureMeta;
  state.posMax = posMax;
  state.pos = next;
}
