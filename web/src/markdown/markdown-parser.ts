import MarkdownItConstructor, { type Env, type MarkdownIt, type StateBlock, type Token } from "markdown-it";
import { addMath } from "./math-rules.ts";

export type { Token };

/** A link definition `[label]: href "title"`. */
export interface Reference {
  title: string;
  href: string;
}

/** Meta of a `list_item_open` token: the item's own children stand apart by blank lines. */
interface ItemMeta {
  loose: boolean;
}

const parser = createParser();

/**
 * The one dialect of the product: CommonMark with tables, strikethrough, bare http(s) links and math; HTML is
 * text. Link targets are judged when they are drawn (safe-link.ts), so every target parses as a link here.
 */
export function createParser(): MarkdownIt {
  const md = new MarkdownItConstructor("default", { html: false, linkify: true });
  md.validateLink = () => true;
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  endLinksBeforeHan(md);
  md.core.ruler.disable(["linkify", "replacements", "smartquotes", "text_join"]);
  md.block.ruler.disable("html_block");
  md.inline.ruler.disable("html_inline");
  addMath(md);
  recordLooseItems(md);
  befriendHan(md);
  return md;
}

/** Keeps on every list item whether it is loose by itself; markdown-it only keeps the whole list's answer. */
function recordLooseItems(md: MarkdownIt): void {
  const tokenize = md.block.tokenize.bind(md.block);
  md.block.tokenize = (state: StateBlock, startLine: number, endLine: number) => {
    const opener = state.tokens.at(-1);
    tokenize(state, startLine, endLine);
    if (opener?.type === "list_item_open") opener.meta = { loose: !state.tight };
  };
}

const asian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\ufe30-\ufe4f\uff00-\uffef]/u;
/** Quotes, the long dash and the dots, which Chinese shares with other scripts. */
const sharedPunctuation = /[\u2014\u2018-\u201f\u2026]/u;
/** A link never goes beyond a space: looking further, for each link of a long paragraph, would take seconds. */
const endsLink = new RegExp(`\\s|${asian.source}|${sharedPunctuation.source}`, "u");

/**
 * Ends a bare link where Chinese, Japanese or Korean begins: no space parts `https://example.com，然后` there. An
 * address that holds such letters itself can be written between `<` and `>`, or as the target of a link with words.
 */
function endLinksBeforeHan(md: MarkdownIt): void {
  const { linkify } = md;
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  linkify.matchAtStart = (text: string) => {
    const end = text.search(endsLink);
    return matchAtStart(end < 0 ? text : text.slice(0, end));
  };
}

/**
 * Lets `**` and `~~` open and close beside Chinese, Japanese and Korean letters, which no space parts from the
 * punctuation before them: by CommonMark's rule alone `**重点。**然后` would stay as typed.
 */
function befriendHan(md: MarkdownIt): void {
  md.inline.State = class extends md.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const scanned = super.scanDelims(start, canSplitWord);
      if (!canSplitWord || (scanned.can_open && scanned.can_close)) return scanned;
      const before = characterBefore(this.src, start);
      const after = String.fromCodePoint(this.src.codePointAt(start + scanned.length) ?? 32);
      if (/\s/.test(before) || /\s/.test(after)) return scanned;
      const canOpen = scanned.can_open || asian.test(before);
      const canClose = scanned.can_close || asian.test(after);
      return { ...scanned, can_open: canOpen, can_close: canClose };
    }
  };
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return " ";
  const last = text.charCodeAt(at - 1);
  return last >= 0xdc00 && last <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.charAt(at - 1);
}

/** Whether blank lines stand between the children of the item this token opens. */
export function isLooseItem(token: Token): boolean {
  return (token.meta as ItemMeta | null)?.loose === true;
}

/** Block pass only: tokens of `source` with raw text in `inline` tokens; definitions found go into `references`. */
export function parseBlocks(source: string, references: Record<string, Reference>): Token[] {
  const tokens: Token[] = [];
  const env: Env = { references };
  parser.block.parse(source, parser, env, tokens);
  return tokens;
}

/** Inline pass over one `inline` token's text. */
export function parseInline(content: string, references: Record<string, Reference>): Token[] {
  const children: Token[] = [];
  const env: Env = { references };
  parser.inline.parse(content, parser, env, children);
  return children;
}

/** Decodes backslash escapes and entities of a fence's info string. */
export function unescapeInfo(info: string): string {
  return parser.utils.unescapeAll(info).trim();
}
