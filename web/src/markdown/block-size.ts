import type { Block, Unit } from "./block-model.ts";
import type { Grouped } from "./grouped-list.ts";

const lineHeight = 28;
const charactersPerLine = 80;
const codeLineHeight = 20;
const codeFrameHeight = 60;
const rowHeight = 40;
/** What drawing takes beyond that of its characters. */
const costOfFormula = 600;
const costOfCodeBlock = 900;
const costOfCell = 20;

const costs = new WeakMap<Block, number>();

/** What drawing the block takes, in characters of plain text. */
export function costOf(block: Block): number {
  let cost = costs.get(block);
  if (cost === undefined) costs.set(block, (cost = countCost(block)));
  return cost;
}

function countCost(block: Block): number {
  switch (block.kind) {
    case "plain":
      return costOfUnit(block.unit);
    case "list":
      return sum(block.items, costOfUnit);
    case "quote":
      return sum(block.parts, costOfUnit);
    case "table":
      // Its rows are made by themselves.
      return costOfUnit(block.head) + 500;
    case "code":
      return costOfCodeBlock;
  }
}

/** What drawing rows of a table takes. */
export function costOfRows(rows: readonly Unit[]): number {
  return rows.reduce((total, row) => total + costOfUnit(row), 0);
}

/** About how high the block will be, in pixels. */
export function heightOf(block: Block): number {
  switch (block.kind) {
    case "plain":
      return heightOfUnit(block.unit);
    case "list":
      return sum(block.items, heightOfUnit);
    case "quote":
      return sum(block.parts, heightOfUnit);
    case "table":
      return Math.min(560, (1 + block.rows.reduce((total, rows) => total + rows.length, 0)) * rowHeight);
    case "code":
      return (
        codeFrameHeight +
        codeLineHeight * (32 * Math.max(0, block.code.chunks.length - 1) + block.code.linesInLast)
      );
  }
}

/** About how high rows of a table will be. */
export function heightOfRows(rows: readonly Unit[]): number {
  return rows.length * rowHeight;
}

function costOfUnit(unit: Unit): number {
  return unit.tokens.reduce((total, token) => {
    if (token.type === "math_block") return total + token.content.length * 10 + costOfFormula;
    if (token.type === "fence") return total + costOfCodeBlock;
    if (token.type === "td_open") return total + costOfCell;
    const formulas = token.children?.filter((child) => child.type.startsWith("math_")).length ?? 0;
    return total + token.content.length + formulas * costOfFormula + 20;
  }, 0);
}

function heightOfUnit(unit: Unit): number {
  return unit.tokens.reduce((total, token) => {
    if (token.type === "math_block")
      return total + 2 * lineHeight + token.content.split("\n").length * lineHeight;
    if (token.type === "fence")
      return total + codeFrameHeight + codeLineHeight * token.content.split("\n").length;
    return (
      total + (token.type === "inline" ? lineHeight * Math.ceil(token.content.length / charactersPerLine) : 0)
    );
  }, 0);
}

function sum(units: Grouped<Unit>, size: (unit: Unit) => number): number {
  return units.reduce((total, group) => total + group.reduce((part, unit) => part + size(unit), 0), 0);
}
