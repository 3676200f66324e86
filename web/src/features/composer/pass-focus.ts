/**
 * A press of a tile goes away with what it does. Whoever goes by keys goes on from the tile itself, from the one beside it
 * where the tile goes, too, and from the words of the message after the last one.
 */
export function passFocus(to: "same tile" | "tile beside"): void {
  const from = document.activeElement;
  const tile = from?.closest("li") ?? null;
  if (tile === null || from?.matches(":focus-visible") !== true) return;
  const next = to === "same tile" ? tile : (tile.nextElementSibling ?? tile.previousElementSibling);
  const target =
    next?.querySelector<HTMLElement>("button:last-of-type") ??
    tile.closest("form")?.querySelector("textarea");
  target?.focus({ preventScroll: true });
}
