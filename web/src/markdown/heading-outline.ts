import type { Block } from "./block-model.ts";

/** The headings an answer's next one stands under, outermost first, by the levels they were written with. */
export type Outline = readonly number[];

/** The page's own heading above every answer. */
const pageLevel = 1;
const levelsOfGroups = new WeakMap<readonly Block[], readonly number[]>();

/** The outline behind a heading: it closes those of its own level and below. */
export function enterHeading(outline: Outline, level: number): Outline {
  return [...outline.filter((above) => above < level), level];
}

/**
 * The level on the page of the heading last entered. Answers begin at any level and skip some; on the page a heading is
 * at most one below the one before it, so that what is read aloud has no gaps.
 */
export function levelOnPage(outline: Outline): number {
  return Math.min(pageLevel + outline.length, 6);
}

/** The level a block is a heading of, as written; null for other blocks. */
export function headingLevel(block: Block): number | null {
  const first = block.kind === "plain" ? block.unit.tokens[0] : undefined;
  return first?.type === "heading_open" ? Number(first.tag.slice(1)) : null;
}

/** The outline behind a block. */
export function enterBlock(outline: Outline, block: Block): Outline {
  const level = headingLevel(block);
  return level === null ? outline : enterHeading(outline, level);
}

/** The outline behind a group of blocks; its headings are looked for once. */
export function enterGroup(outline: Outline, group: readonly Block[]): Outline {
  let levels = levelsOfGroups.get(group);
  if (levels === undefined) {
    levels = group.flatMap((block) => headingLevel(block) ?? []);
    levelsOfGroups.set(group, levels);
  }
  return levels.reduce(enterHeading, outline);
}
