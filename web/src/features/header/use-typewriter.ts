import { useEffect, useState } from "react";
import { prefersReducedMotion } from "../../hooks/use-media.ts";
import { writtenPart } from "./written-part.ts";

/** The part of `text` to show: all of it, or, while `animate` has just come true, what is written so far. */
export function useTypewriter(text: string, animate: boolean): string {
  const [shown, setShown] = useState<{ text: string; written: string } | null>(null);
  useEffect(() => {
    if (!animate || prefersReducedMotion()) return;
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const written = writtenPart(text, now - start);
      setShown(written === text ? null : { text, written });
      if (written !== text) frame = requestAnimationFrame(step);
    });
    return () => {
      cancelAnimationFrame(frame);
      setShown(null);
    };
  }, [text, animate]);
  return shown !== null && shown.text === text ? shown.written : text;
}
