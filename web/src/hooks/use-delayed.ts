import { useEffect, useRef, useState } from "react";

/**
 * Whether to show a loading picture while `loading`: not before `delayMs`, and then for at least `minimumMs`, so that
 * neither a fast answer nor a middling one makes the page flicker.
 */
export function useDelayed(loading: boolean, delayMs: number, minimumMs: number): boolean {
  const [shown, setShown] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (loading === shown) return;
    const wait = loading ? delayMs : Math.max(0, since.current + minimumMs - performance.now());
    const timer = setTimeout(() => {
      since.current = performance.now();
      setShown(loading);
    }, wait);
    return () => clearTimeout(timer);
  }, [loading, shown, delayMs, minimumMs]);
  return shown;
}
