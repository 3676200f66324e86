import type { Block, Unit } from "./block-model.ts";
import { mapGrouped } from "./grouped-list.ts";
import { parseInline, type Reference, type Token } from "./markdown-parser.ts";
import { createReferenceScope } from "./reference-scope.ts";

/** Parses the inline text of a unit's tokens with the definitions known now. */
export function createUnit(
  key: number,
  tokens: readonly Token[],
  known: ReadonlyMap<string, Reference>,
  settled: boolean,
): Unit {
  const scope = createReferenceScope(known);
  for (const token of tokens) {
    if (token.type === "inline") token.children = parseInline(token.content, scope.table);
  }
  return { key, tokens, missed: scope.missed, settled };
}

/** The block with new definitions applied; the same object where it asked for none of them. */
export function resolveBlock(
  block: Block,
  fresh: ReadonlySet<string>,
  known: ReadonlyMap<string, Reference>,
): Block {
  const again = (unit: Unit) => resolveUnit(unit, fresh, known);
  switch (block.kind) {
    case "plain": {
      const unit = again(block.unit);
      return unit === block.unit ? block : { ...block, unit };
    }
    case "list": {
      const items = mapGrouped(block.items, again);
      return items === block.items ? block : { ...block, items };
    }
    case "table": {
      const head = again(block.head);
      const rows = mapGrouped(block.rows, again);
      return head === block.head && rows === block.rows ? block : { ...block, head, rows };
    }
    case "code":
      return block;
  }
}

function resolveUnit(unit: Unit, fresh: ReadonlySet<string>, known: ReadonlyMap<string, Reference>): Unit {
  if (![...fresh].some((label) => unit.missed.has(label))) return unit;
  return createUnit(unit.key, unit.tokens.map(copyToken), known, unit.settled);
}

function copyToken(token: Token): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token);
}
