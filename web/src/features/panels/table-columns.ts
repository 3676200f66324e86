// How many columns a table has, and how wide each is.

/** Cells of so many rows say how wide a column is. */
const MEASURED_ROWS = 200;
const NARROWEST = 4;
const WIDEST = 28;

/** A full-width character takes two places. */
function places(cell: string): number {
  return cell.length + (cell.match(/[\u2e80-\uffef]/g)?.length ?? 0);
}

/** Widths in characters, of as many columns as the longest row has. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widest = Array.from({ length: columns }, () => NARROWEST);
  for (const row of rows.slice(0, MEASURED_ROWS)) {
    row.forEach((cell, column) => {
      widest[column] = Math.max(widest[column] ?? 0, Math.min(WIDEST, places(cell)));
    });
  }
  return widest;
}
