import { createContext } from "react";
import type { Block, Unit } from "./block-model.ts";
import { unitsOf } from "./block-units.ts";
import type { FootnoteMeta } from "./footnote-rules.ts";
import { createFold, type Grouped } from "./grouped-list.ts";

/** Of full groups of items, rows or parts of a block: each is looked through once, however often the block grows. */
const known = new WeakMap<readonly Unit[], readonly string[]>();

/** The keys of an answer's footnotes in the order in which it refers to them, with spaces between. */
export const FootnoteOrderContext = createContext("");

/** Tells the value of `FootnoteOrderContext` for the blocks of a text that grows. */
export function createFootnoteOrder(): (blocks: Grouped<Block>) => string {
  const keysUpTo = createFold<Block, readonly string[]>([], (above, block) => {
    const keys = unitsOf(block).flatMap(keysOfUnits);
    return keys.length === 0 ? above : [...new Set([...above, ...keys])];
  });
  return (blocks) => (keysUpTo(blocks).at(-1) ?? []).join(" ");
}

/** What a footnote is called: its place in that order, as GitHub numbers them; its label while nothing refers to it. */
export function footnoteName({ key, label }: FootnoteMeta, order: string): string {
  const at = order.split(" ").indexOf(key);
  return at < 0 ? label : String(at + 1);
}

function keysOfUnits(units: readonly Unit[]): readonly string[] {
  let keys = known.get(units);
  if (keys === undefined) known.set(units, (keys = units.flatMap(keysOfUnit)));
  return keys;
}

function keysOfUnit({ tokens }: Unit): string[] {
  return tokens.flatMap(({ children }) =>
    (children ?? []).flatMap(({ type, meta }) =>
      type === "footnote_ref" ? (meta as unknown as FootnoteMeta).key : [],
    ),
  );
}
