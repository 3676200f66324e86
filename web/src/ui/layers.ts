// The browser's Back closes what lies over the page, the topmost first, and leaves the page when nothing does: as on a phone.
// For each layer the tab's history has an entry more, of the same address; it goes with the layer.
import { useEffect, useEffectEvent } from "react";
import { entryDepth, leaving } from "./layer-entries.ts";

/**
 * So long the browser is waited for (milliseconds). Where the step back is one of a page in a frame, as HTML that was run leaves
 * them, it tells this page of none.
 */
const LEAVE_MS = 500;

const layers: (() => void)[] = [];

let giveUp: ReturnType<typeof setTimeout> | undefined;

/** Has an entry for each layer, and none for more. */
function settle(): void {
  if (leaving.waiting !== null) return;
  const depth = entryDepth();
  if (depth > layers.length) {
    leaving.waiting = [];
    history.go(layers.length - depth);
    giveUp = setTimeout(() => {
      history.replaceState({ ...history.state, layers: layers.length }, "");
      goOn(leaving.waiting ?? []);
    }, LEAVE_MS);
  }
  for (let next = depth + 1; next <= layers.length; next += 1)
    history.pushState({ ...history.state, layers: next }, "");
}

function onPopState(): void {
  if (leaving.waiting === null) {
    for (const close of layers.slice(entryDepth()).reverse()) close();
    // One that cannot be closed now stays.
    setTimeout(settle);
    return;
  }
  goOn(leaving.waiting);
}

function goOn(waiting: readonly (() => void)[]): void {
  clearTimeout(giveUp);
  leaving.waiting = null;
  settle();
  for (const go of waiting) go();
}

/** Back closes it while it is `open`. Not for what only an answer ends. */
export function useBackCloses(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!open) return;
    const layer = () => onBack();
    layers.push(layer);
    window.addEventListener("popstate", onPopState);
    settle();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      // Whoever closes it may go elsewhere, or open another one.
      setTimeout(settle);
    };
  }, [open]);
}
