import { CITATION, citedNumbers } from "@plumb/protocol/rules/citation-rules";
import type { MarkdownIt, StateInline, Token } from "markdown-it";

/** The numbers that a `citation` token names, and the blank before it, which goes with it where there is no such source. */
export interface CitationMeta {
  numbers: readonly number[];
  before: string;
}

const atStart = new RegExp(`^${CITATION}`);
const inChinese = new RegExp(`( ?)(${CITATION})`, "g");
/** No citation is longer. */
const LONGEST = 80;

/** Citations, as models are told to write them and as they do: see citation-rules.ts of the protocol. */
export function addCitations(md: MarkdownIt): void {
  md.inline.ruler.before("link", "citation", citation);
  md.inline.ruler2.push("chinese_citations", (state) => {
    cutChinese(state);
  });
}

function citation(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (!src.startsWith("itation", pos + 2)) return false;
  const written = atStart.exec(src.slice(pos, Math.min(posMax, pos + LONGEST)))?.[0];
  if (written === undefined) return false;
  if (!silent) {
    const before = state.pending.endsWith(" ") ? " " : "";
    state.pending = state.pending.slice(0, state.pending.length - before.length);
    fill(state.push("citation", "", 0), before, written);
  }
  state.pos += written.length;
  return true;
}

function fill(token: Token, before: string, written: string): void {
  token.content = before + written;
  token.meta = { numbers: citedNumbers(written), before } satisfies CitationMeta as never;
}

/** The brackets of Chinese texts are letters to markdown-it, whose rules begin at signs: texts with them are cut afterwards. */
function cutChinese(state: StateInline): void {
  if (!state.src.includes("【")) return;
  const { tokens } = state;
  const cut = tokens.flatMap((token) => (token.type === "text" ? cutText(state, token) : [token]));
  // markdown-it keeps the array it was given.
  tokens.splice(0, tokens.length, ...cut);
}

function cutText(state: StateInline, { content, level }: Token): Token[] {
  const parts: Token[] = [];
  const put = (type: string): Token => {
    const part = new state.Token(type, "", 0);
    part.level = level;
    parts.push(part);
    return part;
  };
  let done = 0;
  for (const { 0: all, 1: before = "", 2: written = "", index } of content.matchAll(inChinese)) {
    if (index > done) put("text").content = content.slice(done, index);
    fill(put("citation"), before, written);
    done = index + all.length;
  }
  if (done < content.length) put("text").content = content.slice(done);
  return parts;
}
