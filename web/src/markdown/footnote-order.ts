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
  /** Of all blocks; those of a block that is looked through again, and of all below it, go first. */
  const keys: string[] = [];
  const named = new Set<string>();
  const countUpTo = createFold<Block, number>(0, (above, block) => {
    for (const key of keys.splice(above)) named.delete(key);
    for (const key of unitsOf(block).flatMap(keysOfUnits))
      if (!named.has(key)) {
        named.add(key);
        keys.push(key);
      }
    return keys.length;
  });
  return (blocks) => keys.slice(0, countUpTo(blocks).at(-1) ?? 0).join(" ");
}

/** The places of the order that was asked of last: an answer may have thousands of marks. */
let places: { order: string; byKey: ReadonlyMap<string, number> } = { order: "", byKey: new Map() };

/** What a footnote is called: its place in that order, as GitHub numbers them; its label while nothing refers to it. */
export function footnoteName({ key, label }: FootnoteMeta, order: string): string {
  return String(placesIn(order).get(key) ?? label);
}

/** Whether there is a way back from a footnote. */
export function isReferredTo({ key }: FootnoteMeta, order: string): boolean {
  return placesIn(order).has(key);
}

function placesIn(order: string): ReadonlyMap<string, number> {
  if (places.order !== order)
    places = { order, byKey: new Map(order.split(" ").map((each, index) => [each, index + 1])) };
  return places.byKey;
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
