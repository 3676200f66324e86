import { useLayoutEffect, type RefObject } from "react";

/** Each watched element and child of one, with the element that may scroll. */
const followed = new Map<Element, HTMLElement>();
let observer: ResizeObserver | null = null;

/**
 * Makes an element a stop of the Tab key while there is something to scroll in it, and only then. `mayScroll`: false where
 * there never is, so that the browser need not follow the size of thousands.
 */
export function useScrollStop(target: RefObject<HTMLElement | null>, mayScroll = true): void {
  useLayoutEffect(
    () => (target.current === null || !mayScroll ? undefined : followSize(target.current)),
    [target, mayScroll],
  );
}

/** Sets the stop of an element after its size or that of its content changed. Returns the way to end that. */
export function followSize(element: HTMLElement): () => void {
  const sizes = (observer ??= createObserver());
  const watched = [element, ...element.children];
  for (const part of watched) {
    followed.set(part, element);
    sizes.observe(part);
  }
  return () => {
    for (const part of watched) {
      followed.delete(part);
      sizes.unobserve(part);
    }
  };
}

/** The browser looks at each size it follows in every frame, so it follows none in what it leaves out. */
function createObserver(): ResizeObserver {
  const sizes = new ResizeObserver((entries) => {
    setStops(new Set(entries.flatMap(({ target }) => followed.get(target) ?? [])));
  });
  document.addEventListener(
    "contentvisibilityautostatechange",
    (event) => {
      const { target, skipped } = event as ContentVisibilityAutoStateChangeEvent;
      for (const part of (target as Element).getElementsByTagName("*")) {
        if (!followed.has(part)) continue;
        if (skipped) sizes.unobserve(part);
        else sizes.observe(part);
      }
    },
    true,
  );
  return sizes;
}

/**
 * Sets the stops of elements. All are looked at before one is changed, or the page would be laid out again for each; what
 * the browser leaves out is not looked at, since it would be laid out for that.
 */
export function setStops(elements: Iterable<HTMLElement>): void {
  const looked = [...elements].filter(isLaidOut).map((element) => ({
    element,
    isStop: element.hasAttribute("tabindex"),
    scrolls: element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
  }));
  for (const { element, isStop, scrolls } of looked) {
    if (scrolls === isStop) continue;
    if (scrolls) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }
}

/** Safari before 17.4 cannot tell, and is asked the dear way. */
function isLaidOut(element: HTMLElement): boolean {
  return !("checkVisibility" in element) || element.checkVisibility({ contentVisibilityAuto: true });
}
