import { useEffect, useEffectEvent } from "react";

/** Runs on Ctrl+key, or Cmd+key, anywhere on the page; the browser's own meaning of it is prevented. */
export function useHotkey(key: string, run: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.altKey || event.shiftKey || event.isComposing || event.key.toLowerCase() !== key) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
