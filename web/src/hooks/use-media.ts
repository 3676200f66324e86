import { useSyncExternalStore } from "react";

/** One for each query: the composer asks with every key. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const known = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, known);
  return known;
}

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const list = listOf(query);
      list.addEventListener("change", notify);
      return () => list.removeEventListener("change", notify);
    },
    () => listOf(query).matches,
  );
}

/** Below 800 px (requirements 0§9): sheet instead of side column. */
export function useSmallView(): boolean {
  return useMedia("(width < 800px)");
}

/** A phone on its side, or one whose keyboard is up: there is room for one line of everything. */
export function useLowScreen(): boolean {
  return useMedia("(height < 500px)");
}

const TOUCH = "(pointer: coarse) and (hover: none)";

/** Fingers and no keyboard to speak of: Enter writes a line, nothing takes the focus by itself. */
export function useTouch(): boolean {
  return useMedia(TOUCH);
}

/** The same, read at the moment of a press. */
export function isTouch(): boolean {
  return listOf(TOUCH).matches;
}

/** The reader asked for less motion; read at the moment an animation would start. */
export function prefersReducedMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
