// A text in pieces, for words in it to be marked. Pure.

export interface MarkedPart {
  text: string;
  isMarked: boolean;
}

/** `ranges` count code points, as `SearchHit` has them; those that overlap are one, and what lies outside of the text is left out. */
export function markedParts(text: string, ranges: readonly (readonly [number, number])[]): MarkedPart[] {
  const points = [...text];
  const parts: MarkedPart[] = [];
  let at = 0;
  const take = (to: number, isMarked: boolean): void => {
    const end = Math.min(to, points.length);
    if (end <= at) return;
    const piece = points.slice(at, end).join("");
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) last.text += piece;
    else parts.push({ text: piece, isMarked });
    at = end;
  };
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    take(from, false);
    take(to, true);
  }
  take(points.length, false);
  return parts;
}

/** What stands under the head of a table. */
const TABLE_LINE = /\|(?:\s*:?-{2,}:?\s*\|)+/gu;

/** A piece of an answer without the signs of Markdown that a reader of the answer doesn't see. */
export function withoutMarkdown(piece: string): string {
  return piece
    .replace(/\*\*|`+|(?<=^|\s)#{1,6}\s/gu, "")
    .replace(TABLE_LINE, "|")
    .replace(/\|(?:\s+\|)+/gu, "|");
}
