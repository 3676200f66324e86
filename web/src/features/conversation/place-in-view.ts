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

/** Scrolls to a place; false where its message is not on the page. */
export function showPlace(scroller: HTMLElement, content: HTMLElement, place: ReadingPlace): boolean {
  const message = messagesIn(content).find((one) => one.dataset["messageId"] === String(place.messageId));
  if (message === undefined) return false;
  const above = scroller.getBoundingClientRect().top - message.getBoundingClientRect().top;
  scroller.scrollTop += place.above - above;
  return true;
}
