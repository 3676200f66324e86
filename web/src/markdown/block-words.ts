import type { Block, Unit } from "./block-model.ts";
import { unitsOf } from "./block-units.ts";

/** The words of a block as they are drawn; formulas as they were written. */
export function wordsOf(block: Block): string {
  return block.kind === "code" ? block.code.chunks.join("") : wordsOfUnits(unitsOf(block).flat());
}

/** The words of some units, each paragraph or cell on a line of its own. */
export function wordsOfUnits(units: readonly Unit[]): string {
  return units
    .flatMap(({ tokens }) =>
      tokens.map(({ children, content }) =>
        children === null
          ? content
          : children.map((part) => (part.type.endsWith("break") ? " " : part.content)).join(""),
      ),
    )
    .filter((words) => words !== "")
    .join("\n");
}
