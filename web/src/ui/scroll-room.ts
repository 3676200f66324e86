/** How far an arrow moves a row that is wider than its place (pixels, requirements 1§9). */
export const SCROLL_STEP = 200;

/** To which sides a row can be scrolled; what less than a pixel hides is not there. */
export function scrollRoom(row: { scrollLeft: number; scrollWidth: number; clientWidth: number }): {
  back: boolean;
  on: boolean;
} {
  return { back: row.scrollLeft >= 1, on: row.scrollLeft + row.clientWidth <= row.scrollWidth - 1 };
}
