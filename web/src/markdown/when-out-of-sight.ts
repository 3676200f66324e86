import { blockAround } from "./block-around.ts";
import { makeSoon } from "./make-queue.ts";

/** Calls `act` once the element is nowhere on the screen, where it may get another height: what is read stays. Returns the way to lose interest. */
export function whenOutOfSight(element: Element, act: () => void): () => void {
  let forget: (() => void) | undefined;
  const observer = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting !== false) return;
    observer.disconnect();
    forget = makeSoon(act, blockAround(element));
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    forget?.();
  };
}
