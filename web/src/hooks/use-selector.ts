import { useRef, useSyncExternalStore } from "react";
import type { StoreApi } from "zustand/vanilla";

/**
 * The part of a store a component shows; it renders again only when that part changes by `equal`. A selector that
 * builds a new object each time needs an `equal` that looks inside.
 */
export function useSelector<S, T>(
  store: StoreApi<S>,
  select: (state: S) => T,
  equal: (a: T, b: T) => boolean = Object.is,
): T {
  const last = useRef<{ state: S; select: (state: S) => T; value: T } | null>(null);
  const read = () => {
    const state = store.getState();
    const cached = last.current;
    if (cached?.state === state && cached.select === select) return cached.value;
    const value = select(state);
    const kept = cached !== null && equal(cached.value, value) ? cached.value : value;
    last.current = { state, select, value: kept };
    return kept;
  };
  return useSyncExternalStore(store.subscribe, read, read);
}
