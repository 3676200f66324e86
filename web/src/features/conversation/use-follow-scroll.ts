import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { followsAfterScroll, isNearBottom, type ScrollPosition } from "./scroll-rule.ts";

export interface FollowScroll {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  nearBottom: boolean;
  /** Goes to the end and follows what grows there. */
  toBottom: (smooth?: boolean) => void;
}

function positionOf(element: HTMLElement): ScrollPosition {
  const { scrollTop, scrollHeight, clientHeight } = element;
  return { scrollTop, scrollHeight, clientHeight };
}

/** Keeps the end of growing content in view by the scroll rule; another `key` starts again at the bottom. */
export function useFollowScroll(key: string): FollowScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const last = useRef<ScrollPosition | null>(null);
  const [nearBottom, setNearBottom] = useState(true);

  const toBottom = useCallback((smooth = false) => {
    follows.current = true;
    const element = scroller.current;
    element?.scrollTo({ top: element.scrollHeight, behavior: smooth ? "smooth" : "instant" });
  }, []);

  useLayoutEffect(() => {
    last.current = null;
    toBottom();
  }, [key, toBottom]);

  useEffect(() => {
    const element = scroller.current;
    const grown = content.current;
    if (element === null || grown === null) return;

    const onScroll = () => {
      const now = positionOf(element);
      if (last.current !== null) follows.current = followsAfterScroll(follows.current, last.current, now);
      last.current = now;
      setNearBottom(isNearBottom(now));
    };
    // Before the scroll itself, so that growth in the same frame cannot pull the page back down.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) follows.current = false;
    };
    const resized = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      last.current = positionOf(element);
      setNearBottom(isNearBottom(last.current));
    });
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("wheel", onWheel, { passive: true });
    resized.observe(grown);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("wheel", onWheel);
      resized.disconnect();
    };
  }, []);

  return { scroller, content, nearBottom, toBottom };
}
