import { useEffect, useState } from "react";

/** Whole seconds until a moment (milliseconds), counted down as they pass; 0 once it is there, or without one. */
export function useSecondsUntil(moment: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  const left = moment === undefined ? 0 : Math.max(0, Math.ceil((moment - now) / 1000));
  const counting = left > 0;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [counting]);
  return left;
}
