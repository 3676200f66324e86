import type { Env, StateBlock, StateInline } from "markdown-it";

/** A link definition `[label]: href "title"`; that of a footnote stands under `^label` and has no address. */
export interface Reference {
  title: string;
  href: string;
}

/** Whether more text may come. Cut: none comes, though it ends in the middle, as a stopped reply does. */
export type Growing = boolean | "cut";

/** What one parse is told and tells. */
export interface ParseEnv extends Env {
  references?: Record<string, Reference>;
  /** The end of this text is not its real end: what is open there is completed as it would most likely go on. */
  growing?: Growing;
  /** Definitions may still come: a reference that looks like one is shown as one. */
  awaiting?: boolean;
  /** The text begins inside a quotation: its first line is not that of a note. */
  insideQuote?: boolean;
  /** First line of what may become a block formula with more text; set by the parse. */
  undecidedLine?: number;
}

/** Whether inline text is open at its end, here and not in a part of it (the words of a link). */
export function isGrowing(state: StateInline): boolean {
  return Boolean((state.env as ParseEnv).growing) && state.posMax === state.src.length;
}

/** Whether the next characters may decide what is not shown until then. */
export function mayWait(state: StateInline | StateBlock): boolean {
  return (state.env as ParseEnv).growing === true;
}

/** Whether block text is open at its end. */
export function isGrowingBlock(state: StateBlock): boolean {
  return Boolean((state.env as ParseEnv).growing);
}

/** A line without its indentation. */
export function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Columns by which a line is indented in its container. */
export function indentOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent;
}
