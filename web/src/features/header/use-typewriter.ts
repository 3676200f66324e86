import { useEffect, useState } from "react";
import { prefersReducedMotion } from "../../hooks/use-media.ts";

/** How long a new title takes to write itself (1§9). */
const DURATION_MS = 400;

/** The part of `text` to show: all of it, or, while `animate` has just come true, what is written so far. */
export function useTypewriter(text: string, animate: boolean): string {
  const [shown, setShown] = useState<{ text: string; characters: number } | null>(null);
  useEffect(() => {
    if (!animate || prefersReducedMotion()) return;
    const total = [...text].length;
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const characters = Math.ceil(Math.min(1, (now - start) / DURATION_MS) * total);
      setShown(characters < total ? { text, characters } : null);
      if (characters < total) frame = requestAnimationFrame(step);
    });
    return () => {
      cancelAnimationFrame(frame);
      setShown(null);
    };
  }, [text, animate]);
  return shown !== null && shown.text === text ? [...text].slice(0, shown.characters).join("") : text;
}
