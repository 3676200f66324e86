/** An append-only list in groups of equal size, so that a drawn group never changes once it is full. */
export type Grouped<T> = readonly (readonly T[])[];

const groupSize = 16;

/** A copy with `items` at its end; full groups are shared with the original. */
export function appendGrouped<T>(grouped: Grouped<T>, items: readonly T[]): Grouped<T> {
  if (items.length === 0) return grouped;
  const groups = [...grouped];
  let next = 0;
  const last = groups.at(-1);
  if (last !== undefined && last.length < groupSize) {
    next = groupSize - last.length;
    groups[groups.length - 1] = [...last, ...items.slice(0, next)];
  }
  for (; next < items.length; next += groupSize) groups.push(items.slice(next, next + groupSize));
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
