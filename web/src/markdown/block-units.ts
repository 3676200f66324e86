import type { Block, Unit } from "./block-model.ts";
import { mapGrouped, type Grouped } from "./grouped-list.ts";
import { parseInline, type Token } from "./markdown-parser.ts";
import type { Growing } from "./parse-env.ts";
import { createReferenceScope, type ReferenceTable } from "./reference-table.ts";

/** Meta of an `inline` token at the open end of a growing text. */
interface InlineMeta {
  growing: Growing;
}

/** How far the text of a unit has come. */
export interface UnitPhase {
  settled: boolean;
  awaiting: boolean;
}

/** Tells that the text of an `inline` token is open at its end. */
export function markGrowing(token: Token, growing: Growing): void {
  token.meta = { growing } satisfies InlineMeta as never;
}

/** Parses the inline text of a unit's tokens with the definitions known now. */
export function createUnit(
  key: number,
  tokens: readonly Token[],
  known: ReferenceTable,
  { settled, awaiting }: UnitPhase,
): Unit {
  const { references, missed } = createReferenceScope(known);
  for (const token of tokens) {
    if (token.type !== "inline") continue;
    const growing = (token.meta as InlineMeta | null)?.growing ?? false;
    token.children = parseInline(token.content, { references, awaiting, growing });
  }
  return { key, tokens, missed, settled, awaiting };
}

/** The blocks with new definitions applied; those that asked for none of them stay the same objects. */
export function resolveBlocks(
  blocks: Grouped<Block>,
  fresh: ReadonlySet<string>,
  known: ReferenceTable,
): Grouped<Block> {
  const asks = (unit: Unit) => meet(fresh, unit.missed);
  const again = (unit: Unit) =>
    asks(unit) ? createUnit(unit.key, unit.tokens.map(copyToken), known, unit) : unit;
  return mapGroups(blocks, (group) =>
    meet(fresh, missedIn(group)) ? group.map((block) => mapUnits(block, again)) : group,
  );
}

/** The blocks when no definition can come any more: what was taken for a reference in vain is text. */
export function settleReferences(blocks: Grouped<Block>, known: ReferenceTable): Grouped<Block> {
  const again = (unit: Unit) =>
    unit.awaiting && unit.missed.size > 0
      ? createUnit(unit.key, unit.tokens.map(copyToken), known, { settled: unit.settled, awaiting: false })
      : unit;
  return mapGroups(blocks, (group) =>
    missedIn(group).size > 0 ? group.map((block) => mapUnits(block, again)) : group,
  );
}

/** The units of a block in their order. */
export function unitsOf(block: Block): Grouped<Unit> {
  switch (block.kind) {
    case "plain":
      return [[block.unit]];
    case "list":
      return block.items;
    case "quote":
      return block.parts;
    case "table":
      return [[block.head], ...block.rows];
    case "code":
      return [];
  }
}

/** The block with every unit of it changed; the same object where none did. */
function mapUnits(block: Block, change: (unit: Unit) => Unit): Block {
  switch (block.kind) {
    case "plain": {
      const unit = change(block.unit);
      return unit === block.unit ? block : { ...block, unit };
    }
    case "list": {
      const items = mapGrouped(block.items, change);
      return items === block.items ? block : { ...block, items };
    }
    case "quote": {
      const parts = mapGrouped(block.parts, change);
      return parts === block.parts ? block : { ...block, parts };
    }
    case "table": {
      const head = change(block.head);
      const rows = mapGrouped(block.rows, change);
      return head === block.head && rows === block.rows ? block : { ...block, head, rows };
    }
    case "code":
      return block;
  }
}

const missedOfGroups = new WeakMap<readonly object[], ReadonlySet<string>>();

/** Labels asked for in vain in a group of blocks; looked through once, since a full group never changes. */
function missedIn(group: readonly Block[]): ReadonlySet<string> {
  return remembered(group, () => group.flatMap(missedOfBlock));
}

function missedOfBlock(block: Block): ReadonlySet<string>[] {
  return unitsOf(block).map(missedInUnits);
}

function missedInUnits(units: readonly Unit[]): ReadonlySet<string> {
  return remembered(units, () => units.map((unit) => unit.missed));
}

function remembered(group: readonly object[], read: () => ReadonlySet<string>[]): ReadonlySet<string> {
  let missed = missedOfGroups.get(group);
  if (missed === undefined) {
    missed = new Set(read().flatMap((labels) => [...labels]));
    missedOfGroups.set(group, missed);
  }
  return missed;
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [small, large] = some.size < others.size ? [some, others] : [others, some];
  for (const label of small) if (large.has(label)) return true;
  return false;
}

function mapGroups(
  blocks: Grouped<Block>,
  change: (group: readonly Block[]) => readonly Block[],
): Grouped<Block> {
  const groups = blocks.map((group) => {
    const changed = change(group);
    return changed.every((block, index) => block === group[index]) ? group : changed;
  });
  return groups.every((group, index) => group === blocks[index]) ? blocks : groups;
}

function copyToken(token: Token): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token);
}
