// A rising list of message ids as a short text: "1-40,43-60".

/** The text of ids that rise, each a whole number above 0. */
export function rangesOf(ids: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const id of ids) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === id) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/** The ids of such a text, at most `most` of them; [] for any other text. */
export function idsOf(text: string, most: number): number[] {
  const ids: number[] = [];
  for (const range of text.split(",")) {
    const [, first, last] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(range) ?? [];
    if (first === undefined) return [];
    const [from, to] = [Number(first), Number(last ?? first)];
    if (to < from || from <= (ids.at(-1) ?? 0) || ids.length + to - from + 1 > most) return [];
    for (let id = from; id <= to; id++) ids.push(id);
  }
  return ids;
}
