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
  for (const item of items) {
    if (open === null) groups.push((open = []));
    open.push(item);
    if (open.length >= groupSize || isFull(open)) open = null;
  }
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
 * What follows from an append-only list, group by group: `results[i]` is that of all groups up to the i-th. Groups that
 * were there the time before cost nothing, so a text of a thousand groups may be asked of at each of ten thousand appends.
 */
export function createFold<T, R>(
  begin: R,
  step: (result: R, group: readonly T[]) => R,
): (grouped: Grouped<T>) => readonly R[] {
  let known: Grouped<T> = [];
  let results: R[] = [];
  return (grouped) => {
    let same = 0;
    while (same < grouped.length && grouped[same] === known[same]) same++;
    results = results.slice(0, same);
    for (const group of grouped.slice(same)) results.push(step(results.at(-1) ?? begin, group));
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
    let same = 0;
    while (same < grouped.length && grouped[same] === known[same]) same++;
    shelves = shelves.slice(0, Math.floor(same / size));
    for (let first = shelves.length * size; first < grouped.length; first += size)
      shelves.push(grouped.slice(first, first + size));
    known = grouped;
    return shelves;
  };
}
