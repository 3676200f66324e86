import type { Block } from "./block-model.ts";
import { costOf } from "./block-size.ts";
import { appendGrouped, type Grouped } from "./grouped-list.ts";

/** The browser leaves out, or takes in again, a whole group in one task: for formulas thousands of elements. */
const costOfGroup = 6000;

/** A copy with `blocks` at its end. A group is full, too, when what it takes to draw it is much for one task. */
export function appendBlocks(groups: Grouped<Block>, blocks: readonly Block[]): Grouped<Block> {
  return appendGrouped(groups, blocks, isDear);
}

/** Asked again at each append, of the same last group. */
const known = new WeakMap<readonly Block[], { blocks: number; cost: number }>();

function isDear(group: readonly Block[]): boolean {
  let sum = known.get(group);
  if (sum?.blocks !== group.length) {
    sum = { blocks: group.length, cost: group.reduce((total, block) => total + costOf(block), 0) };
    known.set(group, sum);
  }
  return sum.cost >= costOfGroup;
}
