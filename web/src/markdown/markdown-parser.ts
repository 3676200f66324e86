import MarkdownItConstructor, { type MarkdownIt, type Token } from "markdown-it";
import { addBareLinks } from "./bare-links.ts";
import { addBlockMath } from "./block-math.ts";
import { addBlockRules } from "./block-rules.ts";
import { addCitations } from "./citation-rule.ts";
import { addOpenCodeSpan } from "./code-span-rule.ts";
import { showDeepMarks } from "./deep-marks.ts";
import { addEmphasis } from "./emphasis-rules.ts";
import { addFootnotes } from "./footnote-rules.ts";
import { addInlineMath } from "./inline-math.ts";
import { addInlineTags } from "./inline-tags.ts";
import { addOpenLinks } from "./open-link-rule.ts";
import type { ParseEnv } from "./parse-env.ts";

export type { Token };

const parser = createParser();

/**
 * The one dialect of the product: CommonMark with GitHub's tables, strikethrough, bare links, footnotes and notes, with
 * math and citations, and with a closed list of HTML tags; all other HTML is text. Link targets are judged when they are drawn
 * (safe-link.ts), so every target parses as a link here.
 */
export function createParser(): MarkdownIt {
  const md = new MarkdownItConstructor("default", { html: false, linkify: false });
  md.validateLink = () => true;
  md.core.ruler.disable(["linkify", "replacements", "smartquotes", "text_join"]);
  md.block.ruler.disable("html_block");
  md.inline.ruler.disable(["html_inline", "linkify"]);
  addInlineMath(md);
  addBlockMath(md);
  addBlockRules(md);
  addFootnotes(md);
  addEmphasis(md);
  addOpenCodeSpan(md);
  addOpenLinks(md);
  addCitations(md);
  addInlineTags(md);
  addBareLinks(md);
  return md;
}

/** Block pass only: tokens of `source` with raw text in `inline` tokens; definitions found go into `env.references`. */
export function parseBlocks(source: string, env: ParseEnv): Token[] {
  const tokens: Token[] = [];
  parser.block.parse(source, parser, env, tokens);
  return tokens;
}

/** Inline pass over one `inline` token's text. */
export function parseInline(content: string, env: ParseEnv): Token[] {
  const children: Token[] = [];
  parser.inline.parse(content, parser, env, children);
  showDeepMarks(children);
  return children;
}

/** Decodes backslash escapes and entities of a fence's info string. */
export function unescapeInfo(info: string): string {
  return parser.utils.unescapeAll(info).trim();
}
