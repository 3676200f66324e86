import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import type { ReadingPlace } from "../../engine/sessions/reading-places.ts";
import type { HeldPlace } from "./hold-place.ts";
import { holdLength, letLengthGo, placeInView, showPlace } from "./place-in-view.ts";
import { madeSoFar } from "../../markdown/make-queue.ts";
import { showWhenDrawn } from "../../markdown/show-when-drawn.ts";
import { makeInView } from "../../markdown/use-near.ts";
import { watchReaderMoves } from "./reader-moves.ts";
import { followsAfterScroll, isAbove, isAtEnd, isNearBottom, type ScrollPosition } from "./scroll-rule.ts";

export interface FollowScroll {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  nearBottom: boolean;
  /** Something lies above what shows. */
  scrolled: boolean;
  /** Goes to the end and follows what grows there. */
  toBottom: (smooth?: boolean) => void;
  /** Keeps a message where it stood, also where the page gets too short for that. */
  hold: (place: HeldPlace) => void;
}

/** Where the user was reading: `read` gives null for the end. */
export interface ReadingPlaces {
  read: () => ReadingPlace | null;
  keep: (place: ReadingPlace | null) => void;
}

/** How long after the last scroll the place is looked at (milliseconds). */
const KEEP_AFTER_MS = 100;
/** So long a restored place is held while the messages above it get their heights (milliseconds). */
const HOLD_MS = 5000;

function positionOf(element: HTMLElement): ScrollPosition {
  const { scrollTop, scrollHeight, clientHeight } = element;
  return { scrollTop, scrollHeight, clientHeight };
}

/**
 * Keeps the end of growing content in view by the scroll rule. Another `key` starts again at the place where the user
 * was reading, or at the bottom. `filled`: there is content. `onShown` is called when that stands on the screen.
 */
export function useFollowScroll(
  key: string,
  filled: boolean,
  places: ReadingPlaces,
  onShown?: () => void,
): FollowScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  /** Where the page was put for the reader, who has not scrolled since; null: nothing is held. */
  const heldAt = useRef<number | null>(null);
  const last = useRef<ScrollPosition | null>(null);
  const [nearBottom, setNearBottom] = useState(true);
  const readPlace = useEffectEvent(places.read);
  const keepPlace = useEffectEvent(places.keep);
  const tellShown = useEffectEvent(() => onShown?.());
  const [scrolled, setScrolled] = useState(false);

  const toBottom = useCallback((smooth = false) => {
    follows.current = true;
    heldAt.current = null;
    if (content.current !== null) letLengthGo(content.current);
    const element = scroller.current;
    element?.scrollTo({ top: element.scrollHeight, behavior: smooth ? "smooth" : "instant" });
  }, []);

  /** Goes to the place where the user was reading, at the bottom where there is none any more. */
  const holdPlace = useEffectEvent(() => {
    const [element, grown, place] = [scroller.current, content.current, readPlace()];
    if (element === null || grown === null || place === null) return toBottom();
    follows.current = false;
    showPlace(element, grown, place);
    heldAt.current = element.scrollTop;
  });

  /** Its messages came and were put at their place: before, nobody reads what could be let go. */
  const opened = useRef(false);
  const heldSince = useRef(0);
  const { keep: keepNow } = places;
  const hold = useCallback(
    ({ messageId, top, topWhenAbove, block }: HeldPlace) => {
      const [element, grown] = [scroller.current, content.current];
      if (element === null || grown === null) return;
      const edge = element.getBoundingClientRect().top;
      const place = { messageId, above: Math.round(edge - (top >= edge ? top : topWhenAbove)), block };
      follows.current = false;
      keepNow(place);
      holdLength(element, grown, place);
      heldAt.current = element.scrollTop;
      heldSince.current = performance.now();
    },
    [keepNow],
  );

  /** The key of the messages that were on show last; null before any were. */
  const shownKey = useRef<string | null>(null);
  const isFilled = useEffectEvent(() => filled);
  useLayoutEffect(() => {
    last.current = null;
    opened.current = false;
    if (content.current !== null) letLengthGo(content.current);
    heldSince.current = performance.now();
    // With messages in it, it waits for their frame, below.
    if (isFilled()) follows.current = true;
    else holdPlace();
  }, [key]);

  // When the messages come, they are shown at their place with what stands there, in the same frame. It is found in that
  // frame: it takes laying the page out, which is not to be one task with drawing all messages.
  useLayoutEffect(() => {
    const [element, grown] = [scroller.current, content.current];
    if (!filled || element === null || grown === null) return undefined;
    // Another key is that of the session which a new chat has become: what is read there is not hidden once more.
    const isSameChat = shownKey.current !== null && shownKey.current !== key;
    shownKey.current = key;
    let stopHiding = (): void => {};
    const frame = requestAnimationFrame(() => {
      if (heldAt.current !== null || follows.current) holdPlace();
      opened.current = true;
      heldSince.current = performance.now();
      makeInView(element);
      if (!isSameChat) stopHiding = showWhenDrawn(element, grown, () => tellShown());
    });
    return () => {
      cancelAnimationFrame(frame);
      stopHiding();
    };
  }, [key, filled]);

  useEffect(() => {
    const element = scroller.current;
    const grown = content.current;
    if (element === null || grown === null) return;
    let keeping: ReturnType<typeof setTimeout> | undefined;
    const reader = watchReaderMoves(element, document);
    let madeBefore = 0;
    let madeAtLast = 0;
    // What was made before the last look may move the page only after it.
    const noteMade = () => {
      madeBefore = madeAtLast;
      madeAtLast = madeSoFar();
    };

    const show = (now: ScrollPosition) => {
      setNearBottom(isNearBottom(now));
      setScrolled(now.scrollTop > 0);
    };
    const keep = () => {
      keeping = undefined;
      const atEnd = follows.current || isAtEnd(positionOf(element));
      keepPlace(atEnd ? null : placeInView(element, grown));
    };
    const onScroll = () => {
      const now = positionOf(element);
      if (heldAt.current !== null) {
        if (Math.abs(now.scrollTop - heldAt.current) <= 1) {
          last.current = now;
          return show(now);
        }
        // The page has grown above, and the browser has kept another line in its place.
        const grownBy = now.scrollHeight - (last.current ?? now).scrollHeight;
        const isAnchored = Math.abs(now.scrollTop - heldAt.current) <= Math.abs(grownBy) + 1;
        if (grownBy !== 0 && isAnchored && readPlace() !== null) {
          holdPlace();
          last.current = positionOf(element);
          return show(last.current);
        }
        heldAt.current = null;
      }
      letLengthGo(grown, now.scrollTop + now.clientHeight);
      const isMade = !reader.mayMove() && madeSoFar() !== madeBefore;
      if (last.current !== null) {
        follows.current = followsAfterScroll(follows.current, last.current, now, isMade);
        // A page that is as long as before is not told of.
        if (follows.current && isAbove(now, last.current)) element.scrollTop = now.scrollHeight;
      }
      noteMade();
      last.current = positionOf(element);
      show(last.current);
      clearTimeout(keeping);
      keeping = setTimeout(keep, KEEP_AFTER_MS);
    };
    // By touch, by the scrollbar, by keys or by a link: what moves now is the reader's.
    const letGo = () => {
      if (opened.current) heldAt.current = null;
    };
    // Before the scroll itself, so that growth in the same frame cannot pull the page back down.
    const onWheel = (event: WheelEvent) => {
      letGo();
      if (opened.current && event.deltaY < 0) follows.current = false;
    };
    const resized = new ResizeObserver(() => {
      const isLate = opened.current && performance.now() - heldSince.current > HOLD_MS;
      // A reply that came later than this takes nobody to the end.
      if (isLate && readPlace() === null) heldAt.current = null;
      if (heldAt.current !== null) holdPlace();
      else if (follows.current) element.scrollTop = element.scrollHeight;
      // What has changed now is held still: the browser takes over with the next change.
      if (isLate) heldAt.current = null;
      noteMade();
      last.current = positionOf(element);
      show(last.current);
    });
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("wheel", onWheel, { passive: true });
    element.addEventListener("pointerdown", letGo, { passive: true });
    element.addEventListener("touchmove", letGo, { passive: true });
    element.addEventListener("keydown", letGo);
    resized.observe(grown);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("pointerdown", letGo);
      element.removeEventListener("touchmove", letGo);
      element.removeEventListener("keydown", letGo);
      reader.stop();
      resized.disconnect();
      clearTimeout(keeping);
    };
  }, []);

  // Before the messages leave the page with their heights.
  useLayoutEffect(() => {
    const [element, grown] = [scroller.current, content.current];
    return () => {
      if (element === null || grown === null || heldAt.current !== null) return;
      const atEnd = follows.current || isAtEnd(positionOf(element));
      keepPlace(atEnd ? null : placeInView(element, grown));
    };
  }, []);

  return { scroller, content, nearBottom, scrolled, toBottom, hold };
}
