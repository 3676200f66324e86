// Where a tall picture is cut into bands that are looked at one after the other, so that its height costs no memory. Pure.

export interface Band {
  top: number;
  height: number;
}

/** How far back from its lowest place a cut may go to find a row without words. */
const searchShare = 0.5;
/** A row whose pixels differ by less is empty. */
const emptyContrast = 24;

/**
 * @param rows how much the pixels of each row differ, 0 to 255
 * @param most the height of a band
 * @returns bands without gaps; each ends in the middle of the widest empty space near its lowest place, else there
 */
export function cutIntoBands(rows: Uint8Array, most: number): Band[] {
  const bands: Band[] = [];
  for (let top = 0; top < rows.length;) {
    const lowest = Math.min(rows.length, top + most);
    const end =
      lowest === rows.length ? lowest : cutBetween(rows, top + Math.ceil(most * searchShare), lowest);
    bands.push({ top, height: end - top });
    top = end;
  }
  return bands;
}

function cutBetween(rows: Uint8Array, first: number, last: number): number {
  let best = { at: last, length: 0 };
  let start = first;
  for (let row = first; row <= last; row += 1) {
    if (row < last && (rows[row] ?? 0) < emptyContrast) continue;
    if (row - start > best.length) best = { at: start + Math.ceil((row - start) / 2), length: row - start };
    start = row + 1;
  }
  return best.at;
}
