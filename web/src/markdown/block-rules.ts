import type { MarkdownIt, StateBlock, Token } from "markdown-it";
import { asian, characterAfter } from "./asian-script.ts";
import { closesFence, readFenceOpening } from "./open-fence.ts";
import { indentOf, isGrowingBlock, lineText, type ParseEnv } from "./parse-env.ts";

/** Meta of a `fence` token. */
export interface FenceMeta {
  closed: boolean;
  /** Columns before its opening signs, from the line's start. */
  indent: number;
  /** Columns a line needs to stay in the container of the fence. */
  blockIndent: number;
}

/** Meta of a `list_item_open` token: the item's own children stand apart by blank lines. */
interface ItemMeta {
  loose: boolean;
}

/** The five kinds of notes that GitHub makes of a quotation. */
export const alertKinds = ["note", "tip", "important", "warning", "caution"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Meta of a `blockquote_open` token that begins with `[!WARNING]` or its kin. */
interface QuoteMeta {
  alert: AlertKind;
}

/** Block rules beside CommonMark's: `###标题`, notes in quotations, and what the reader of growing text asks for. */
export function addBlockRules(md: MarkdownIt): void {
  md.block.ruler.at("fence", fence, { alt: ["paragraph", "reference", "blockquote", "list"] });
  md.block.ruler.before("reference", "open_reference", openReference);
  md.block.ruler.after("heading", "compact_heading", compactHeading, {
    alt: ["paragraph", "reference", "blockquote"],
  });
  const tokenize = md.block.tokenize.bind(md.block);
  md.block.tokenize = (state: StateBlock, startLine: number, endLine: number) => {
    if (state.level >= md.options.maxNesting) return addAsParagraph(state, startLine, endLine);
    const index = state.tokens.length - 1;
    const opener = state.tokens[index];
    tokenize(state, startLine, endLine);
    // markdown-it only keeps the whole list's answer.
    if (opener?.type === "list_item_open") opener.meta = { loose: !state.tight } satisfies ItemMeta as never;
    if (opener?.type !== "blockquote_open") return;
    const continues =
      (state.env as ParseEnv).insideQuote === true && opener.level === 0 && opener.map?.[0] === 0;
    if (!continues) readAlert(state.tokens, index);
  };
}

/** What is nested too deep is text, to the end of what it is nested in: markdown-it would leave out all that follows. */
function addAsParagraph(state: StateBlock, startLine: number, endLine: number): void {
  let end = startLine;
  const belongs = (line: number) => (state.sCount[line] ?? 0) >= state.blkIndent;
  while (end < endLine && (state.isEmpty(end) || belongs(end))) end += 1;
  state.line = end;
  const content = state.getLines(startLine, end, state.blkIndent, false).trim();
  if (content === "") return;
  state.push("paragraph_open", "p", 1).map = [startLine, end];
  const inline = state.push("inline", "", 0);
  inline.content = content;
  inline.map = [startLine, end];
  inline.children = [];
  state.push("paragraph_close", "p", -1);
}

/** Whether blank lines stand between the children of the item this token opens. */
export function isLooseItem(token: Token): boolean {
  return (token.meta as ItemMeta | null)?.loose === true;
}

/** The kind of note a quotation is, by the token that opens it. */
export function alertOf(token: Token | undefined): AlertKind | null {
  return (token?.meta as QuoteMeta | null | undefined)?.alert ?? null;
}

/** CommonMark's code fence, which also tells whether it was closed and where it stands. */
function fence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (indentOf(state, startLine) >= 4) return false;
  const opening = readFenceOpening(lineText(state, startLine), 0);
  if (opening === null) return false;
  if (silent) return true;
  let nextLine = startLine + 1;
  let closed = false;
  for (; nextLine < endLine && !closed; nextLine++) {
    if (!state.isEmpty(nextLine) && (state.sCount[nextLine] ?? 0) < state.blkIndent) break;
    closed = indentOf(state, nextLine) < 4 && closesFence(opening, lineText(state, nextLine));
  }
  const indent = state.sCount[startLine] ?? 0;
  state.line = nextLine;
  const token = state.push("fence", "code", 0);
  token.info = opening.info;
  token.content = state.getLines(startLine + 1, closed ? nextLine - 1 : nextLine, indent, true);
  token.markup = opening.marker.repeat(opening.width);
  token.map = [startLine, nextLine];
  token.meta = { closed, indent, blockIndent: state.blkIndent } satisfies FenceMeta as never;
  return true;
}

/** `###标题`: writers of Chinese leave the space away. A single sign stays, since `#话题` is a topic. */
function compactHeading(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (indentOf(state, startLine) >= 4) return false;
  const text = lineText(state, startLine);
  const level = /^#{2,6}(?!#)/.exec(text)?.[0].length ?? 0;
  if (level === 0 || !asian.test(characterAfter(text, level))) return false;
  if (silent) return true;
  const map: [number, number] = [startLine, startLine + 1];
  const tag = `h${level}`;
  const markup = "#".repeat(level);
  state.line = startLine + 1;
  Object.assign(state.push("heading_open", tag, 1), { markup, map });
  const content = text
    .slice(level)
    .replace(/\s+#+\s*$/, "")
    .trim();
  Object.assign(state.push("inline", "", 0), { content, map, children: [] });
  state.push("heading_close", tag, -1).markup = markup;
  return true;
}

/** Lines that may become a link definition with more of them: its target is still to come, or a title is open. */
const openDefinition =
  /^\[(?!\^)(?:[^[\]\\]|\\.)+\]:\s*(?:$|(?:<[^>\n]*>|(?:\/|#|www\.|[\w-]+(?:\.[\w-]+)+\/|https?:)\S*)\s+(?:"[^"]*|'[^']*|\([^()]*)$)/i;
const longestDefinitionLines = 6;

/**
 * In a growing text, an unfinished line that may become a link definition: one whose target looks like an address is
 * not shown, any other is text until its line is whole. A title that goes on below is not shown either, nor the start of a line that may be
 * one more.
 */
function openReference(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (silent || !isGrowingBlock(state)) return false;
  const text = lineText(state, startLine);
  if (text.startsWith("[") && definitionGoesOn(state, startLine)) {
    state.line = state.lineMax;
    return true;
  }
  if (startLine !== state.lineMax - 1 || state.src.endsWith("\n")) return false;
  if (/^\[(?!\^)[^\]]{0,60}\]?$/.test(text) && state.tokens.at(-1)?.type === "reference_definition") {
    state.line = startLine + 1;
    return true;
  }
  const target = /^\[(?!\^)(?:[^[\]\\]|\\.)+\]:\s*(.*)$/s.exec(text)?.[1];
  if (target === undefined || indentOf(state, startLine) >= 4) return false;
  state.line = startLine + 1;
  if (/^(?:$|<|\/|#|www\.|[\w-]+(?:\.[\w-]+)+\/|h(?:t(?:t(?:ps?(?::.*)?)?)?)?$)/i.test(target)) return true;
  const map: [number, number] = [startLine, startLine + 1];
  state.push("paragraph_open", "p", 1).map = map;
  Object.assign(state.push("inline", "", 0), { content: text.trim(), map, children: [] });
  state.push("paragraph_close", "p", -1);
  return true;
}

/** Whether the whole lines from here to the text's end, and what is below them, may be a definition that goes on. */
function definitionGoesOn(state: StateBlock, startLine: number): boolean {
  const { src, lineMax, eMarks } = state;
  const isAtEnd = src.length - (eMarks[lineMax - 1] ?? 0) <= 1;
  if (!isAtEnd || lineMax - startLine > longestDefinitionLines || indentOf(state, startLine) >= 4)
    return false;
  if (startLine === lineMax - 1 && !src.endsWith("\n")) return false;
  const lines = state.getLines(startLine, lineMax, state.blkIndent, false).trimStart();
  // No title reaches over a blank line, or one that begins a block.
  return !/\n[ \t]*(?:$|[\n>#*+|`-]|\d+[.)])/.test(lines) && openDefinition.test(lines);
}

/** Moves a first line `[!WARNING]` of a quotation from its text to its opening token. */
function readAlert(tokens: Token[], index: number): void {
  const [quote, paragraph, inline] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (quote === undefined || paragraph?.type !== "paragraph_open" || inline === undefined) return;
  const [line, name] = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i.exec(inline.content) ?? [];
  const alert = alertKinds.find((kind) => kind === name?.toLowerCase());
  if (line === undefined || alert === undefined) return;
  quote.meta = { alert } satisfies QuoteMeta as never;
  inline.content = inline.content.slice(line.length);
  if (inline.content === "") tokens.splice(index + 1, 3);
}
