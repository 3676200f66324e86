import type { Block, Unit } from "../block-model.ts";
import type { Grouped } from "../grouped-list.ts";
import { codeOf } from "../lifted-code.ts";
import type { Token } from "../markdown-parser.ts";

/** What a reader sees of drawn blocks, without spaces: words, code, the TeX of formulas, the marks of footnotes. */
export function visibleText(blocks: Grouped<Block>): string {
  return blocks.flat().map(textOfBlock).join("").replace(/\s+/g, "");
}

function textOfBlock(block: Block): string {
  switch (block.kind) {
    case "plain":
      return textOfUnits([block.unit]);
    case "list":
      return textOfUnits(block.items.flat());
    case "quote":
      return (block.alert ?? "") + textOfUnits(block.parts.flat());
    case "table":
      return textOfUnits([block.head, ...block.rows.flat()]);
    case "code":
      return block.code.chunks.join("");
  }
}

function textOfUnits(units: readonly Unit[]): string {
  return units.flatMap((unit) => unit.tokens.map(textOfToken)).join("");
}

function textOfToken(token: Token): string {
  if (token.type === "inline") return (token.children ?? []).map(textOfToken).join("");
  if (token.type === "image") return (token.children ?? []).map(textOfToken).join("");
  if (token.type === "fence" || token.type === "code_block") return codeOf(token).chunks.join("");
  return token.type === "footnote_open" ? String(token.meta?.["label"]) : token.content;
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
