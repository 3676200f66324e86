import { useEffect, type RefObject } from "react";

const followed = new Map<Element, () => void>();
let observer: ResizeObserver | null = null;

/** Makes an element a stop of the Tab key while there is something to scroll in it, and only then. */
export function useScrollStop(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    return follow(element, () => {
      const scrolls =
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
      if (scrolls) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    });
  }, [target]);
}

/** Calls `changed` after the size of the element or of its content changed. */
function follow(element: HTMLElement, changed: () => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    const calls = new Set(entries.map(({ target }) => followed.get(target)));
    for (const call of calls) call?.();
  });
  const watched = [element, ...element.children];
  for (const part of watched) {
    followed.set(part, changed);
    observer.observe(part);
  }
  return () => {
    for (const part of watched) {
      followed.delete(part);
      observer?.unobserve(part);
    }
  };
}
