// Where one reads, by the uppermost message in view and the uppermost block that begins in view: heights of what lies above
// may change, and that of a block which is cut by the upper edge.
import type { ReadingPlace } from "../../engine/sessions/reading-places.ts";
import markdown from "../../markdown/markdown.module.css";

/** The first whose lower edge lies below `edge`. */
function firstBelow(elements: Iterable<Element>, edge: number): Element | undefined {
  return [...elements].find((element) => element.getBoundingClientRect().bottom > edge);
}

/** The place on show; null while there is no message. */
export function placeInView(scroller: HTMLElement, content: HTMLElement): ReadingPlace | null {
  const edge = scroller.getBoundingClientRect().top;
  let first = firstBelow(content.children, edge);
  // A group that is far from the screen is laid out only where it is looked into.
  if (first?.matches("[data-message-group]")) first = firstBelow(first.children, edge) ?? first;
  if (!(first instanceof HTMLElement) || first.dataset["messageId"] === undefined) return null;
  return {
    messageId: Number(first.dataset["messageId"]),
    above: Math.round(edge - first.getBoundingClientRect().top),
    block: blockInView(first, edge, edge + scroller.clientHeight / 2),
  };
}

/** The groups of the message's blocks; those far from the screen have a likely height only. */
function groupsOf(message: Element): Element[] {
  return [...message.querySelectorAll(`.${markdown["group"]}`)];
}

/** The one cut by `edge` where none begins between it and `lowest`. */
function blockInView(message: Element, edge: number, lowest: number): ReadingPlace["block"] {
  const groups = groupsOf(message);
  const group = firstBelow(groups, edge);
  const cut = group && firstBelow(group.children, edge);
  if (group === undefined || cut === undefined) return undefined;
  const topOf = (block: Element): number => block.getBoundingClientRect().top;
  const below = cut.nextElementSibling ?? groups[groups.indexOf(group) + 1]?.firstElementChild;
  const block = topOf(cut) < edge && below && topOf(below) < lowest ? below : cut;
  return placeOfBlock(message, block, edge);
}

/** The place with this block as far from the upper edge as it is from `edge` now. One in no group is not found again. */
export function placeOfBlock(message: Element, block: Element, edge: number): ReadingPlace["block"] {
  const group = block.parentElement;
  return group === null
    ? undefined
    : {
        group: groupsOf(message).indexOf(group),
        index: [...group.children].indexOf(block),
        above: Math.round(edge - block.getBoundingClientRect().top),
      };
}

/** How far the page is from a place, px downwards; NaN where its message is not on the page. */
function placeOff(scroller: HTMLElement, content: HTMLElement, place: ReadingPlace): number {
  const message = content.querySelector(`[data-message-id="${place.messageId}"]`);
  if (message === null) return Number.NaN;
  const edge = scroller.getBoundingClientRect().top;
  const { block } = place;
  const shown = block && groupsOf(message)[block.group]?.children[block.index];
  if (block && shown) return block.above - (edge - shown.getBoundingClientRect().top);
  return place.above - (edge - message.getBoundingClientRect().top);
}

/** Scrolls to a place; false where its message is not on the page. */
export function showPlace(scroller: HTMLElement, content: HTMLElement, place: ReadingPlace): boolean {
  const off = placeOff(scroller, content, place);
  if (Number.isNaN(off)) return false;
  scroller.scrollTop += off;
  return true;
}

/** Scrolls to a place, and gives the page the length this takes: what stood below may have gone. */
export function holdLength(scroller: HTMLElement, content: HTMLElement, place: ReadingPlace): void {
  content.style.minHeight = "";
  if (!showPlace(scroller, content, place)) return;
  const missing = Math.ceil(placeOff(scroller, content, place));
  if (missing <= 0) return;
  content.style.minHeight = `${scroller.scrollTop + missing + scroller.clientHeight}px`;
  showPlace(scroller, content, place);
}

/** Takes the length given by `holdLength` back, down to what is needed to stay at `end` (px from the top). */
export function letLengthGo(content: HTMLElement, end = 0): void {
  const given = Number.parseFloat(content.style.minHeight);
  if (Number.isNaN(given) || given <= end) return;
  content.style.minHeight = end === 0 ? "" : `${end}px`;
}
