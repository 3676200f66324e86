import type { MarkdownIt, StateInline } from "markdown-it";

/** The number that a `citation` token names. */
export interface CitationMeta {
  number: number;
}

const written = /^\[citation:([1-9]\d{0,3})\]/;

/** A citation as our models are told to write it: `[citation:3]` (wire-contract.md §3.4). */
export function addCitations(md: MarkdownIt): void {
  md.inline.ruler.before("link", "citation", citation);
}

function citation(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("[citation:", state.pos)) return false;
  const match = written.exec(state.src.slice(state.pos, Math.min(state.posMax, state.pos + 16)));
  if (match === null) return false;
  if (!silent) {
    const token = state.push("citation", "", 0);
    token.content = match[0];
    token.meta = { number: Number(match[1]) } satisfies CitationMeta as never;
  }
  state.pos += match[0].length;
  return true;
}
