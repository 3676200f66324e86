import type { Reference } from "./markdown-parser.ts";

/** What one parse may look up, and what it tells: definitions it found, labels it asked for in vain. */
export interface ReferenceScope {
  /** Handed to markdown-it as `env.references`. */
  table: Record<string, Reference>;
  defined: Map<string, Reference>;
  missed: Set<string>;
}

/** A view on the known definitions that collects new ones beside them; the first definition of a label wins. */
export function createReferenceScope(known: ReadonlyMap<string, Reference>): ReferenceScope {
  const defined = new Map<string, Reference>();
  const missed = new Set<string>();
  const table = new Proxy<Record<string, Reference>>(Object.create(null) as Record<string, Reference>, {
    get(_target, label) {
      if (typeof label !== "string") return undefined;
      const found = known.get(label) ?? defined.get(label);
      if (found === undefined) missed.add(label);
      return found;
    },
    set(_target, label, value: Reference) {
      if (typeof label === "string") defined.set(label, value);
      return true;
    },
  });
  return { table, defined, missed };
}
