/** How many of a thousand characters are wrong, missing or too many; white space does not count. */
export function wrongPerThousand(read: string, expected: string): number {
  const one = [...read.replaceAll(/\s/g, "")];
  const other = [...expected.replaceAll(/\s/g, "")];
  let row = other.map((_, at) => at + 1);
  row.unshift(0);
  for (const [at, character] of one.entries()) {
    const next = [at + 1];
    for (const [index, wanted] of other.entries()) {
      const kept = (row[index] ?? 0) + (character === wanted ? 0 : 1);
      next.push(Math.min(kept, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return ((row.at(-1) ?? 0) * 1000) / Math.max(1, other.length);
}
