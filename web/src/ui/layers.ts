// The browser's Back closes what lies over the page, the topmost first, and leaves the page when nothing does: as on a phone.
// For each layer the tab's history has an entry more, of the same address. One whose layer was closed otherwise stays: the next layer
// takes it, going elsewhere takes its place, and Back passes over it. It is not left by going back from here: that comes later than
// what a person does next, and then ends a reload, or a page that a frame is loading.
import { useEffect, useEffectEvent } from "react";

type NavigateOptions = { replace?: boolean; state?: unknown };
type Navigate = (to: string, options?: NavigateOptions) => void;

const layers: (() => void)[] = [];

/** How many layers the present entry is for. */
function entryDepth(): number {
  return (history.state as { layers?: number } | null)?.layers ?? 0;
}

/** The place of the present entry in the tab's history; NaN where the browser does not say. */
function entryIndex(): number {
  const { navigation } = window as { navigation?: { currentEntry: { index: number } | null } };
  return navigation?.currentEntry?.index ?? Number.NaN;
}

function addMissingEntries(): void {
  for (let next = entryDepth() + 1; next <= layers.length; next += 1)
    history.pushState({ ...history.state, layers: next }, "");
}

/** Follows Back. Gives back the way to stop. */
export function watchBack(): () => void {
  const stop = new AbortController();
  let from = { depth: 0, href: "", index: Number.NaN };
  const note = () => {
    from = { depth: entryDepth(), href: location.href, index: entryIndex() };
  };
  const onPopState = () => {
    const start = from;
    note();
    const above = layers.slice(from.depth).reverse();
    for (const close of above) close();
    // One that cannot be closed now stays.
    if (above.length > 0) setTimeout(addMissingEntries);
    else if (from.index < start.index && from.depth > layers.length) {
      // Of a layer over a page that was left since: the step still counts from where it began.
      from = { ...start, index: from.index };
      history.back();
    } else if (from.depth < start.depth && from.href === start.href) history.back();
  };
  note();
  window.addEventListener("popstate", onPopState, { signal: stop.signal });
  // The router makes events of these.
  for (const type of ["pushState", "replaceState"])
    window.addEventListener(type, note, { signal: stop.signal });
  return () => stop.abort();
}

/**
 * Goes elsewhere from a layer in the place of its entry: Back leads to the page that lay below it. To the address that is on show
 * it adds no entry, as links of the browser's own.
 */
export function navigateFromLayer(navigate: Navigate, to: string, options?: NavigateOptions): void {
  if (new URL(to, location.href).href === location.href)
    navigate(to, { ...options, replace: true, state: history.state });
  else navigate(to, entryDepth() > 0 ? { ...options, replace: true } : options);
  // Those that stay open over the page that comes: it may have come by itself.
  setTimeout(addMissingEntries);
}

/** Back closes it while it is `open`. Not for what only an answer ends. */
export function useBackCloses(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!open) return;
    const layer = () => onBack();
    layers.push(layer);
    addMissingEntries();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [open]);
}
