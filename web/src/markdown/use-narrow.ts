import { createContext, useSyncExternalStore } from "react";

const narrow = "(width <= 480px)";
const listeners = new Set<() => void>();
let query: MediaQueryList | null = null;

/** Whether the page is as narrow as a phone, for the parts of an answer: asking the page is too dear for each of them. */
export const NarrowContext = createContext(false);

/** Whether the page is as narrow as a phone; one query for all who ask. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, () => false);
}

function isNarrow(): boolean {
  return watched().matches;
}

function subscribe(changed: () => void): () => void {
  watched();
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
  };
}

function watched(): MediaQueryList {
  if (query !== null) return query;
  query = matchMedia(narrow);
  query.addEventListener("change", () => listeners.forEach((changed) => changed()));
  return query;
}
