import type { Reference } from "./parse-env.ts";

/**
 * The link definitions known so far, in layers of which each has more than twice the entries of the next: adding one to
 * ten thousand copies about fourteen. The first definition of a label counts.
 */
export type ReferenceTable = readonly ReadonlyMap<string, Reference>[];

export const noReferences: ReferenceTable = [];

/** The definition of a normalised label. */
export function findReference(table: ReferenceTable, label: string): Reference | undefined {
  for (const layer of table) {
    const found = layer.get(label);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The table with the definitions of labels it does not hold. */
export function addReferences(table: ReferenceTable, more: ReadonlyMap<string, Reference>): ReferenceTable {
  const fresh = new Map([...more].filter(([label]) => findReference(table, label) === undefined));
  if (fresh.size === 0) return table;
  const layers = [...table];
  let last: ReadonlyMap<string, Reference> = fresh;
  for (
    let before = layers.at(-1);
    before !== undefined && before.size <= 2 * last.size;
    before = layers.at(-1)
  ) {
    layers.pop();
    last = new Map([...before, ...last]);
  }
  return [...layers, last];
}

/** What one parse may look up, and what it tells: definitions it found, labels it asked for in vain. */
export interface ReferenceScope {
  /** Handed to markdown-it as `env.references`. */
  references: Record<string, Reference>;
  defined: Map<string, Reference>;
  missed: Set<string>;
}

/** A view on the known definitions that collects new ones beside them. */
export function createReferenceScope(known: ReferenceTable): ReferenceScope {
  const defined = new Map<string, Reference>();
  const missed = new Set<string>();
  const references = new Proxy<Record<string, Reference>>(Object.create(null) as Record<string, Reference>, {
    get(_target, label) {
      if (typeof label !== "string") return undefined;
      const found = findReference(known, label) ?? defined.get(label);
      if (found === undefined) missed.add(label);
      return found;
    },
    set(_target, label, value: Reference) {
      if (typeof label === "string") defined.set(label, value);
      return true;
    },
  });
  return { references, defined, missed };
}
