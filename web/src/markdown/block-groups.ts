import type { Block } from "./block-model.ts";
import { costOf } from "./block-size.ts";
import { appendGrouped, type Grouped } from "./grouped-list.ts";

/** The browser leaves out, or takes in again, a whole group in one task: for formulas thousands of elements. */
const costOfGroup = 6000;

/** A copy with `blocks` at its end. A group is full, too, when what it takes to draw it is much for one task. */
export function appendBlocks(groups: Grouped<Block>, blocks: readonly Block[]): Grouped<Block> {
  return appendGrouped(groups, blocks, isDear);
}

function isDear(group: readonly Block[]): boolean {
  return group.reduce((total, block) => total + costOf(block), 0) >= costOfGroup;
}
