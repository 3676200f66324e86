// Where one reads, by the uppermost message in view: heights of what lies above may change, its message stays.
import type { ReadingPlace } from "../../engine/sessions/reading-places.ts";

function messagesIn(content: HTMLElement): HTMLElement[] {
  return [...content.querySelectorAll<HTMLElement>("[data-message-id]")];
}

/** The place on show; null while there is no message. */
export function placeInView(scroller: HTMLElement, content: HTMLElement): ReadingPlace | null {
  const edge = scroller.getBoundingClientRect().top;
  const first = messagesIn(content).find((message) => message.getBoundingClientRect().bottom > edge);
  if (first === undefined) return null;
  return {
    messageId: Number(first.dataset["messageId"]),
    above: Math.round(edge - first.getBoundingClientRect().top),
  };
}

/** How far the page is from a place, px downwards; NaN where its message is not on the page. */
function placeOff(scroller: HTMLElement, content: HTMLElement, place: ReadingPlace): number {
  const message = messagesIn(content).find((one) => one.dataset["messageId"] === String(place.messageId));
  if (message === undefined) return Number.NaN;
  return place.above - (scroller.getBoundingClientRect().top - message.getBoundingClientRect().top);
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
