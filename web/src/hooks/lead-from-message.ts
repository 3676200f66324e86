/**
 * Goes on from a message, which stands in `scroller`, to what was found in it: `show` scrolls by so many px, and holds there
 * what `within` is a part of. The search brings it by way of the engine, as its `Lead`: no other page needs it.
 */
export type LeadFromMessage = (
  message: HTMLElement,
  scroller: HTMLElement,
  show: (px: number, within: Element) => void,
) => void;
