import type { Block, Unit } from "./block-model.ts";
import { costOfFormula, costOfFormulas } from "./formula-cost.ts";
import type { Grouped } from "./grouped-list.ts";

const lineHeight = 28;
const charactersPerLine = 80;
const codeLineHeight = 20;
const codeFrameHeight = 60;
const rowHeight = 40;
/** What goes on in a block of its own has taken this much: what eighty small formulas take, or a dozen large ones. */
export const costOfPart = 8000;
/** Of text alone a list or quotation goes on so many times later: without elements its characters are laid out quickly. */
const timesOfText = 4;
/** What drawing takes beyond that of its characters. */
const costOfCodeBlock = 900;
const costOfCell = 20;

const costs = new WeakMap<Block, number>();
const costsOfUnits = new WeakMap<Unit, number>();

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

/**
 * Items of a list, or parts of a quotation, that follow those of `open`, cut where so many stand together that another
 * list or quotation goes on with them. The first go to `open`.
 */
export function cutLongBlock(open: Grouped<Unit>, units: readonly Unit[]): Unit[][] {
  let cost = sum(open, costInPart);
  let current: Unit[] = [];
  const runs = [current];
  for (const unit of units) {
    if (cost >= costOfPart) {
      runs.push((current = []));
      cost = 0;
    }
    current.push(unit);
    cost += costInPart(unit);
  }
  return runs;
}

function costInPart(unit: Unit): number {
  const text = unit.tokens.reduce((total, { content }) => total + content.length, 0);
  return costOfUnit(unit) - text + text / timesOfText;
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
  let cost = costsOfUnits.get(unit);
  if (cost === undefined) costsOfUnits.set(unit, (cost = countCostOfUnit(unit)));
  return cost;
}

function countCostOfUnit(unit: Unit): number {
  return unit.tokens.reduce((total, token) => {
    // A long one is not looked through at each sign that it grows by.
    if (token.type === "math_block") return total + token.content.length * 10 + costOfFormula("");
    if (token.type === "fence") return total + costOfCodeBlock;
    if (token.type === "td_open") return total + costOfCell;
    return total + costOfText(token.content) + 20;
  }, 0);
}

/** What drawing text takes, by what stands in it: what is known of links elsewhere changes nothing of it. */
export function costOfText(text: string): number {
  return text.length + costOfFormulas(text);
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
