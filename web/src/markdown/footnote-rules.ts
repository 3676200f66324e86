import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import { indentOf, isGrowing, type ParseEnv } from "./parse-env.ts";

/** Meta of `footnote_ref` and `footnote_open`. */
export interface FootnoteMeta {
  label: string;
  /** What it is called among the link definitions. */
  key: string;
}

const longestLabel = 60;
const reference = new RegExp(`\\[\\^([^\\s[\\]^]{1,${longestLabel}})\\]`, "y");
const definition = new RegExp(`\\[\\^([^\\s[\\]^]{1,${longestLabel}})\\]:`, "y");
/** What a note may be called whose definition is still to come; `[^a-z]` and `[^"]` are more likely signs of a pattern. */
const likelyLabel = /^(?!(?:\w-\w)+\w*$)[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u;
const halfReference = new RegExp(`^\\[\\^[^\\s[\\]^]{0,${longestLabel}}$`);

/**
 * Footnotes as GitHub has them: `[^label]` in the text, `[^label]: words` as a block, which goes on over lines indented
 * by four. The definition stands where it was written, so that nothing moves while an answer grows.
 */
export function addFootnotes(md: MarkdownIt): void {
  md.inline.ruler.before("link", "footnote_ref", footnoteReference);
  md.block.ruler.before("reference", "footnote", footnoteDefinition, { alt: ["paragraph", "reference"] });
}

function metaOf(md: MarkdownIt, label: string): FootnoteMeta {
  return { label, key: `^${md.utils.normalizeReference(label)}` };
}

function footnoteReference(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (!src.startsWith("[^", pos) || state.linkLevel > 0) return false;
  reference.lastIndex = pos;
  const match = reference.exec(src);
  if (match === null) {
    if (!isGrowing(state) || !halfReference.test(src.slice(pos, pos + longestLabel + 3))) return false;
    state.pos = state.posMax;
    return true;
  }
  const env = state.env as ParseEnv;
  const meta = metaOf(state.md, match[1] ?? "");
  const mayCome = env.awaiting === true && likelyLabel.test(meta.label);
  if (env.references?.[meta.key] === undefined && !mayCome) return false;
  if (!silent) Object.assign(state.push("footnote_ref", "sup", 0), { meta, content: meta.label });
  state.pos = reference.lastIndex;
  return true;
}

function footnoteDefinition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (indentOf(state, startLine) >= 4 || !state.src.startsWith("[^", start)) return false;
  definition.lastIndex = start;
  const label = definition.exec(state.src)?.[1];
  if (label === undefined || definition.lastIndex > (state.eMarks[startLine] ?? 0)) return false;
  if (silent) return true;
  const meta = metaOf(state.md, label);
  const env = state.env as ParseEnv;
  env.references ??= {};
  env.references[meta.key] ??= { href: "", title: "" };
  const map: [number, number] = [startLine, 0];
  Object.assign(state.push("footnote_open", "div", 1), { meta, map });
  readContent(state, startLine, endLine, definition.lastIndex);
  state.push("footnote_close", "div", -1);
  map[1] = state.line;
  return true;
}

/** Parses the blocks of a definition: what follows the colon, and lines indented by four. */
function readContent(state: StateBlock, startLine: number, endLine: number, contentStart: number): void {
  const { bMarks, tShift, sCount, parentType } = state;
  const before = [bMarks[startLine] ?? 0, tShift[startLine] ?? 0, sCount[startLine] ?? 0] as const;
  const textStart = state.skipSpaces(contentStart);
  state.blkIndent += 4;
  bMarks[startLine] = contentStart;
  tShift[startLine] = Math.min(textStart, state.eMarks[startLine] ?? textStart) - contentStart;
  sCount[startLine] = state.blkIndent;
  state.parentType = "reference";
  const textLine = state.isEmpty(startLine) ? startLine + 1 : startLine;
  const hasText = textLine < endLine && !state.isEmpty(textLine) && indentOf(state, textLine) >= 0;
  if (!hasText) state.line = startLine + 1;
  else state.md.block.tokenize(state, startLine, endLine);
  state.parentType = parentType;
  state.blkIndent -= 4;
  [bMarks[startLine], tShift[startLine], sCount[startLine]] = before;
}
