import type { Token } from "markdown-it";

/**
 * Emphasis and inline tags that stand deeper in each other are shown as they were typed. markdown-it bounds blocks, links
 * and pictures (100 levels), but not emphasis: at 3,000 levels, 27,000 signs, layout took over two seconds for each change.
 */
export const deepestMarks = 50;

/** Makes text of the marks that stand too deep in the tokens of a line, in time by their number. */
export function showDeepMarks(tokens: readonly Token[]): void {
  let depth = 0;
  for (const token of tokens) {
    // Links stand in no other link.
    if (token.nesting === 0 || token.type === "link_open" || token.type === "link_close") continue;
    if (token.nesting === 1) depth++;
    const isTooDeep = depth > deepestMarks;
    if (token.nesting === -1) depth--;
    if (!isTooDeep) continue;
    const tag = token.nesting === 1 ? `<${token.tag}>` : `</${token.tag}>`;
    Object.assign(token, { type: "text", tag: "", nesting: 0, content: token.markup || tag });
  }
}
