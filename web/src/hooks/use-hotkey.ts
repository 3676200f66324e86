import { useEffect, useEffectEvent } from "react";
import { isGated } from "./is-gated.ts";
import { useEngine } from "./use-engine.tsx";

/**
 * Runs on Ctrl+key, or Cmd+key, anywhere on the page but over a gate; the browser's own meaning of it is prevented. `belowDialogs`:
 * not while the focus is in a dialog, since what it changes lies below.
 */
export function useHotkey(key: string, run: () => void, { belowDialogs = false } = {}): void {
  const engine = useEngine();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.altKey || event.shiftKey || event.isComposing || event.key.toLowerCase() !== key) return;
    event.preventDefault();
    if (isGated(engine)) return;
    if (belowDialogs && document.activeElement?.closest("[role=dialog]") != null) return;
    run();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
