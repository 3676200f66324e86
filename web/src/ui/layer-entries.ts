// For each layer over the page the tab's history has an entry more (layers.ts): what whoever goes elsewhere must know of them.

type Navigate = (to: string, options?: { replace?: boolean }) => void;

/** Entries of layers that were closed are being left; what waits for that. */
export const leaving: { waiting: (() => void)[] | null } = { waiting: null };

/** How many layers the present entry is for. */
export function entryDepth(): number {
  return (history.state as { layers?: number } | null)?.layers ?? 0;
}

/** Goes elsewhere from an open layer in the place of its entry: Back leads to the page that lay below it. */
export function navigateFromLayer(navigate: Navigate, to: string, options?: { replace?: boolean }): void {
  if (leaving.waiting !== null) leaving.waiting.push(() => navigate(to, options));
  else navigate(to, entryDepth() > 0 ? { ...options, replace: true } : options);
}
