import { createContext } from "react";
import type { Block, Unit } from "./block-model.ts";
import { unitsOf } from "./block-units.ts";
import type { FootnoteMeta } from "./footnote-rules.ts";
import type { Grouped } from "./grouped-list.ts";

const keysOfGroups = new WeakMap<readonly object[], readonly string[]>();

/** The keys of an answer's footnotes in the order in which it refers to them, with spaces between. */
export const FootnoteOrderContext = createContext("");

/** The value of `FootnoteOrderContext` for these blocks. Groups that are full are looked through once. */
export function footnoteOrder(blocks: Grouped<Block>): string {
  const keys = blocks.flatMap((group) => remembered(group, () => group.flatMap(keysOfBlock)));
  return [...new Set(keys)].join(" ");
}

/** What a footnote is called: its place in that order, as GitHub numbers them; its label while nothing refers to it. */
export function footnoteName({ key, label }: FootnoteMeta, order: string): string {
  const at = order.split(" ").indexOf(key);
  return at < 0 ? label : String(at + 1);
}

function keysOfBlock(block: Block): readonly string[] {
  return unitsOf(block).flatMap((units) => remembered(units, () => units.flatMap(keysOfUnit)));
}

function keysOfUnit({ tokens }: Unit): string[] {
  return tokens.flatMap(({ children }) =>
    (children ?? []).flatMap(({ type, meta }) =>
      type === "footnote_ref" ? (meta as unknown as FootnoteMeta).key : [],
    ),
  );
}

function remembered(group: readonly object[], read: () => readonly string[]): readonly string[] {
  let keys = keysOfGroups.get(group);
  if (keys === undefined) {
    keys = read();
    keysOfGroups.set(group, keys);
  }
  return keys;
}
