import type { Block } from "../block-model.ts";
import { unitsOf } from "../block-units.ts";
import { createFootnoteOrder, footnoteName } from "../footnote-order.ts";
import type { FootnoteMeta } from "../footnote-rules.ts";
import type { Grouped } from "../grouped-list.ts";
import { codeOf } from "../lifted-code.ts";
import type { Token } from "../markdown-parser.ts";
import type { PictureMeta } from "../open-link-rule.ts";
import { safeLink } from "../safe-link.ts";

/** What a reader sees of drawn blocks, without spaces: words, code, the TeX of formulas, the marks of footnotes. */
export function visibleText(blocks: Grouped<Block>): string {
  const order = createFootnoteOrder()(blocks);
  return blocks
    .flat()
    .map((block) => textOfBlock(block, order))
    .join("")
    .replace(/\s+/g, "");
}

function textOfBlock(block: Block, order: string): string {
  if (block.kind === "code") return block.code.chunks.join("");
  const words = unitsOf(block)
    .flat()
    .flatMap(({ tokens }) => tokens.map((token) => textOfToken(token, order)));
  return (block.kind === "quote" ? (block.alert ?? "") : "") + words.join("");
}

function textOfToken(token: Token, order: string): string {
  if (token.type === "inline") return textOfWords(token.children ?? [], order);
  if (token.type === "image")
    return (token.children ?? []).map((child) => textOfToken(child, order)).join("");
  if (token.type === "fence" || token.type === "code_block") return codeOf(token).chunks.join("");
  if (token.type === "footnote_open" || token.type === "footnote_ref")
    return footnoteName(token.meta as unknown as FootnoteMeta, order);
  return token.content;
}

/** A picture that is no part of a link tells its host. */
function textOfWords(tokens: readonly Token[], order: string): string {
  let links = 0;
  return tokens
    .map((token) => {
      if (token.type === "link_open") links += 1;
      if (token.type === "link_close") links -= 1;
      const words = textOfToken(token, order);
      const isAlone = token.type === "image" && links === 0 && (token.meta as PictureMeta | null) === null;
      const host = isAlone ? safeLink(String(token.attrGet("src") ?? ""))?.host : undefined;
      return host === undefined ? words : `${words}(${host})`;
    })
    .join("");
}

/** Whether every character of `some` stands in `whole`, in the same order. */
export function isWithin(some: string, whole: string): boolean {
  if (whole.startsWith(some)) return true;
  let at = 0;
  for (const character of some) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
