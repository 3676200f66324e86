import { useEffect, useReducer, useState } from "react";
import { prefersReducedMotion } from "../../../hooks/use-media.ts";
import { createReveal, cutText } from "./reveal-pace.ts";

/** Where frames do not come, as in a tab nobody sees, the rest is shown after so long. */
const withoutFramesMs = 300;

/**
 * The part of a growing text that is shown: written evenly, where it comes in chunks (requirements 1§9). All of it when
 * it does not grow, when nobody sees it, and where less motion is wished.
 */
export function useReveal(text: string, growing: boolean): string {
  const [reveal] = useState(() => createReveal(text.length, performance.now()));
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const now = performance.now();
  reveal.take(text.length, now);
  if (!growing || !isSeen() || prefersReducedMotion()) reveal.catchUp(now);
  const shown = cutText(text, reveal.shown(now));
  const isWhole = shown.length === text.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const frame = requestAnimationFrame(drawAgain);
    const timer = setTimeout(drawAgain, withoutFramesMs);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isWhole, shown]);
  return shown;
}

function isSeen(): boolean {
  return typeof document !== "undefined" && document.visibilityState === "visible";
}
