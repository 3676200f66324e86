import type { ReactElement } from "react";

/**
 * Draws the items of a list that grows: an item and a note that are those of the time before give the same element, and
 * React passes over that without a look at its properties. An answer of thousands of blocks is drawn again ten thousand
 * times, and all neighbours of what grows would be compared each time.
 */
export function createKeptElements<Item, Note>(
  draw: (item: Item, note: Note, index: number) => ReactElement,
): (item: Item, note: Note, index: number) => ReactElement {
  const kept: { item: Item; note: Note; element: ReactElement }[] = [];
  return (item, note, index) => {
    const before = kept[index];
    if (before !== undefined && before.item === item && before.note === note) return before.element;
    const element = draw(item, note, index);
    kept[index] = { item, note, element };
    return element;
  };
}
