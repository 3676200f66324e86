import { useEffect, useRef, useState, type RefObject } from "react";

/** What comes this near to the screen is drawn. */
const NEAR = "800px";

const seen = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>();
let observer: IntersectionObserver | null = null;

interface Nearby<E> {
  /** For the element of the part, drawn or not. */
  place: RefObject<E | null>;
  isNear: boolean;
  /** What it took when it was drawn (px); null for one that was not. */
  height: number | null;
}

/** Whether a part of a long list is near the screen. One that goes far away again leaves its height behind. */
export function useNearby<E extends Element>(isNearAtFirst: boolean): Nearby<E> {
  const place = useRef<E>(null);
  const [state, setState] = useState<Omit<Nearby<E>, "place">>({ isNear: isNearAtFirst, height: null });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    observer ??= new IntersectionObserver(
      (entries) => entries.forEach((entry) => seen.get(entry.target)?.(entry)),
      // The second counts in what scrolls by itself.
      { rootMargin: NEAR, scrollMargin: NEAR } as IntersectionObserverInit,
    );
    seen.set(element, ({ isIntersecting, boundingClientRect }) =>
      setState((before) => {
        if (isIntersecting === before.isNear) return before;
        return { isNear: isIntersecting, height: before.isNear ? boundingClientRect.height : before.height };
      }),
    );
    observer.observe(element);
    return () => {
      observer?.unobserve(element);
      seen.delete(element);
    };
  }, []);
  return { place, ...state };
}
