/** What of a message can't be selected. */
const unselectable = "[data-uncopied], [data-words], button";

/**
 * All that is selected. Firefox makes a range of each part between presses and other things that can't be selected; null
 * where words are left out, too, as where somebody chose several parts.
 */
export function selectedRange(selection: Selection): Range | null {
  if (selection.isCollapsed || selection.rangeCount === 0) return null;
  const first = selection.getRangeAt(0);
  const others = Array.from({ length: selection.rangeCount - 1 }, (_, index) =>
    selection.getRangeAt(index + 1),
  );
  const last = others.at(-1);
  if (last === undefined) return first;
  const whole = first.cloneRange();
  whole.setEnd(last.endContainer, last.endOffset);
  const texts = document.createTreeWalker(whole.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  return others.every((range, index) => isNext(others[index - 1] ?? first, range, texts)) ? whole : null;
}

/** Whether between the end of a range and the beginning of another there is nothing that can be selected. */
function isNext(before: Range, range: Range, texts: TreeWalker): boolean {
  texts.currentNode = before.endContainer;
  let text: Node | null = before.endContainer instanceof Text ? before.endContainer : texts.nextNode();
  for (; text instanceof Text; text = texts.nextNode()) {
    const isFirst = text === before.endContainer;
    const isLast = text === range.startContainer;
    if (!isFirst && before.comparePoint(text, text.length) <= 0) continue;
    if (range.comparePoint(text, 0) >= 0) return true;
    const words = text.data.slice(isFirst ? before.endOffset : 0, isLast ? range.startOffset : text.length);
    if (words.trim() !== "" && text.parentElement?.closest(unselectable) == null) return false;
    if (isLast) return true;
  }
  return true;
}
