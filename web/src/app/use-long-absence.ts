import { useEffect, useEffectEvent } from "react";

/** After this long out of sight the page counts as left (requirements 0§9). */
const LONG_ABSENCE_MS = 21_600_000;

/** Runs when the page is seen again after six hours out of sight. */
export function useLongAbsence(onReturn: () => void): void {
  const returned = useEffectEvent(onReturn);
  useEffect(() => {
    let hiddenAt: number | null = document.hidden ? Date.now() : null;
    const onChange = () => {
      if (document.hidden) hiddenAt = Date.now();
      else if (hiddenAt !== null && Date.now() - hiddenAt >= LONG_ABSENCE_MS) returned();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, []);
}
