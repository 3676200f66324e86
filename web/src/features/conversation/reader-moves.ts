/** A scroll so soon after a touch, a key or a turn of the wheel may be the reader's (milliseconds). */
const TOUCHED_MS = 1000;
const scrollKeys = /^(?:Arrow|Page|Home|End| )/;

export interface ReaderMoves {
  /** Whether a scroll now may be the reader's. */
  mayMove: () => boolean;
  stop: () => void;
}

/** Watches what a reader scrolls with. `page`: what has the keys where the focus is elsewhere, or nowhere. */
export function watchReaderMoves(scroller: EventTarget, page: EventTarget): ReaderMoves {
  const watching = new AbortController();
  let touchedAt = -Infinity;
  let isHeld = false;
  const touch = () => {
    touchedAt = performance.now();
  };
  const release = () => {
    if (isHeld) touch();
    isHeld = false;
  };
  const passive = { passive: true, signal: watching.signal };
  for (const type of ["wheel", "touchmove", "keydown"]) scroller.addEventListener(type, touch, passive);
  // With the focus nowhere the browser scrolls what was pressed last.
  page.addEventListener("keydown", (event) => mayScroll(event as KeyboardEvent) && touch(), passive);
  // A selection that is drawn beyond the edge, or the bar at the edge, scrolls as long as the button is held.
  scroller.addEventListener("pointerdown", () => (isHeld = true), passive);
  for (const type of ["pointerup", "pointercancel"]) page.addEventListener(type, release, passive);
  // Nobody tells where the bar at the edge is let go.
  scroller.addEventListener(
    "pointermove",
    (event) => (event as PointerEvent).buttons === 0 && release(),
    passive,
  );
  return {
    mayMove: () => isHeld || performance.now() - touchedAt <= TOUCHED_MS,
    stop: () => watching.abort(),
  };
}

/** In a box they move what is written, but for the one that moves the focus, which is scrolled to. */
function mayScroll({ key, target }: KeyboardEvent): boolean {
  const isInBox = (target as Partial<Element>).matches?.("input, textarea") === true;
  return key === "Tab" || (scrollKeys.test(key) && !isInBox);
}
