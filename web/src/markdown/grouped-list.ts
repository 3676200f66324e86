/** An append-only list in groups, so that a drawn group never changes once it is full. */
export type Grouped<T> = readonly (readonly T[])[];

const groupSize = 16;

/** A copy with `items` at its end; full groups are shared with the original. `isFull`: also before it has all it may have. */
export function appendGrouped<T>(
  grouped: Grouped<T>,
  items: readonly T[],
  isFull: (group: readonly T[]) => boolean = () => false,
): Grouped<T> {
  if (items.length === 0) return grouped;
  const groups = [...grouped];
  const last = groups.at(-1);
  let open: T[] | null = null;
  if (last !== undefined && last.length < groupSize && !isFull(last))
    groups[groups.length - 1] = open = [...last];
  items.forEach((item, index) => {
    if (open !== null && index > 0 && (open.length >= groupSize || isFull(open))) open = null;
    if (open === null) groups.push((open = []));
    open.push(item);
  });
  return groups;
}

/** A copy with every item mapped; a group in which nothing changed is shared with the original. */
export function mapGrouped<T>(grouped: Grouped<T>, change: (item: T) => T): Grouped<T> {
  let anyChanged = false;
  const groups = grouped.map((group) => {
    const mapped = group.map(change);
    if (mapped.every((item, index) => item === group[index])) return group;
    anyChanged = true;
    return mapped;
  });
  return anyChanged ? groups : grouped;
}

/**
 * What follows from an append-only list, item by item: `results[i]` is that of all groups up to the i-th. Items that were
 * there the time before cost nothing, so a text of a thousand groups may be asked of at each of ten thousand appends.
 */
export function createFold<T, R>(
  begin: R,
  step: (result: R, item: T) => R,
): (grouped: Grouped<T>) => readonly R[] {
  let known: Grouped<T> = [];
  let results: R[] = [];
  /** Of each item of the last group. */
  let inLast: R[] = [];
  return (grouped) => {
    const same = countSame(grouped, known);
    if (same === grouped.length && same === known.length) return results;
    const last = same === known.length - 1 ? known[same] : undefined;
    let kept = last === undefined ? [] : inLast.slice(0, countSame(grouped[same] ?? [], last));
    results = results.slice(0, same);
    for (let index = same; index < grouped.length; index++) {
      inLast = kept;
      kept = [];
      const before = results.at(-1) ?? begin;
      for (const item of grouped[index]?.slice(inLast.length) ?? [])
        inLast.push(step(inLast.at(-1) ?? before, item));
      results.push(inLast.at(-1) ?? before);
    }
    // What is no longer the last has no results of its items any more.
    if (same === grouped.length) inLast = [];
    known = grouped;
    return results;
  };
}

/** Runs of `size` groups of an append-only list; one in which nothing has changed is the same array as the time before. */
export function createShelves<T>(size: number): (grouped: Grouped<T>) => readonly Grouped<T>[] {
  let known: Grouped<T> = [];
  let shelves: Grouped<T>[] = [];
  return (grouped) => {
    if (grouped === known) return shelves;
    const same = countSame(grouped, known);
    shelves = shelves.slice(0, Math.floor(same / size));
    for (let first = shelves.length * size; first < grouped.length; first += size)
      shelves.push(grouped.slice(first, first + size));
    known = grouped;
    return shelves;
  };
}

/** How many items both begin with. */
function countSame(some: readonly unknown[], others: readonly unknown[]): number {
  const most = Math.min(some.length, others.length);
  let same = 0;
  while (same < most && some[same] === others[same]) same++;
  return same;
}
