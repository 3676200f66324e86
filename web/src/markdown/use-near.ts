import { createContext, useContext, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { blockAround } from "./block-around.ts";
import {
  costOfOneTask,
  distanceFromScreen,
  hurry,
  makeSoon,
  makeWhenIdle,
  mayMakeNow,
} from "./make-queue.ts";
import { fillPlace, leavePlace, noteReaderAt } from "./place-words.ts";

/** Half-made text is never seen: what comes this near to the screen is made. */
const nearMargin = "1500px";

/** Tells whether new parts are those of a reply that is being written. The same at its end, so that no part is drawn again for it. */
export const IsWrittenContext = createContext<() => boolean>(() => false);

export interface Near {
  /** For the element that stands in; unused once it is made. */
  place: RefObject<HTMLElement | null>;
  isNear: boolean;
}

/** What begins below the page's head is not cut by the upper edge of what scrolls, so it moves nothing that is read by growing. */
const headPx = 64;

/** Told whether they begin below the upper edge of the screen. */
const waiting = new WeakMap<Element, (isBelowEdge: boolean) => void>();
let observer: IntersectionObserver | null = null;
interface Unmade {
  cost: number;
  make: () => void;
}

/** The parts that only have their places so far. */
const unmade = new Map<Element, Unmade>();

/** What is printed is all there, whatever it takes; a part made may hold further places. */
function makeAll(): void {
  while (unmade.size > 0) {
    const all = [...unmade];
    flushSync(() => all.forEach(([, { make }]) => make()));
    all.forEach(([element]) => unmade.delete(element));
  }
  hurry();
}
if (typeof window !== "undefined") window.addEventListener("beforeprint", makeAll);

/**
 * Makes what stands on the screen of a scrolled page before that is painted: a page that opens at its end has spent on
 * its beginning what may be made at once. To be called in a frame. Half a screen above counts, too, since what is
 * made may be less high than its place. What takes more than some tasks comes later, the uppermost last.
 */
export function makeInView(scroller: Element): void {
  const screen = scroller.getBoundingClientRect();
  const seen = [...unmade].flatMap(([element, part]) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > screen.top - screen.height / 2 && top < screen.bottom ? [{ ...part, bottom }] : [];
  });
  let left = 2 * costOfOneTask;
  const lowestFirst = seen.toSorted((a, b) => b.bottom - a.bottom);
  const fitting = lowestFirst.filter(({ cost }) => (left -= cost) >= 0);
  flushSync(() => fitting.forEach(({ make }) => make()));
}

/** The parts that only have their places so far. */
export function unmadeParts(): Iterable<Element> {
  return unmade.keys();
}

/**
 * Whether a part of an answer is to be made. Small ones and those that come one by one are made at once; of a long
 * answer that is opened, what is near the screen, a little in each task, and the rest when the page is idle.
 * `onlyNear`: not when idle, for what would cost too much laid out together; "always" also not at once. `isWanted`: to be
 * made now, wherever it stands. What is made stays so. `words`: what its place soon says until then, so that a search in the
 * page, a selection and a reader aloud have them.
 */
export function useNear(
  cost: () => number,
  onlyNear: "later" | "always" | null = null,
  isWanted = false,
  words: (() => string) | null = null,
): Near {
  const place = useRef<HTMLElement | null>(null);
  const isWritten = useContext(IsWrittenContext);
  const [costAtFirst] = useState(cost);
  const [isNear, setNear] = useState(
    () => isWanted || (onlyNear !== "always" && mayMakeNow(costAtFirst, isWritten())),
  );
  if (isWanted && !isNear) setNear(true);
  useLayoutEffect(() => {
    const element = place.current;
    if (isNear || element === null) return undefined;
    let wanted = true;
    const make = () => {
      if (wanted) flushSync(() => setNear(true));
    };
    unmade.set(element, { cost: costAtFirst, make: () => setNear(true) });
    const forget = onlyNear === null ? makeWhenIdle(make, blockAround(element)) : undefined;
    let forgetSoon: (() => void) | undefined;
    observe(element, (isBelowEdge) => {
      forgetSoon = makeSoon(make, isBelowEdge ? null : blockAround(element), element);
    });
    return () => {
      wanted = false;
      unmade.delete(element);
      leavePlace(element);
      forget?.();
      forgetSoon?.();
      observer?.unobserve(element);
    };
  }, [isNear, onlyNear, costAtFirst]);
  // A block of a long text that is taken in slices goes on behind its place.
  useLayoutEffect(() => {
    if (!isNear && words !== null && place.current !== null) fillPlace(place.current, words);
  });
  return { place, isNear };
}

function observe(element: Element, come: (isBelowEdge: boolean) => void): void {
  observer ??= new IntersectionObserver(
    (entries) => {
      const come = entries.filter(({ isIntersecting }) => isIntersecting);
      const distance = (entry: IntersectionObserverEntry) => distanceFromScreen(entry.boundingClientRect);
      const nearestFirst = come.toSorted((a, b) => distance(a) - distance(b));
      if (nearestFirst[0] !== undefined) noteReaderAt(nearestFirst[0].target);
      for (const { target, boundingClientRect } of nearestFirst) {
        observer?.unobserve(target);
        waiting.get(target)?.(boundingClientRect.top > headPx);
      }
    },
    // The second counts inside a table that scrolls by itself.
    { rootMargin: nearMargin, scrollMargin: nearMargin } as IntersectionObserverInit,
  );
  waiting.set(element, come);
  observer.observe(element);
}
