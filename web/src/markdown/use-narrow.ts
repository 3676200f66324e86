import { createContext, useSyncExternalStore } from "react";

const narrow = "(width <= 480px)";
const listeners = new Set<() => void>();
let query: MediaQueryList | null = null;
/** The browser brings its styles up to date for each question after it. */
let isNarrowNow = false;

/** Whether the page is as narrow as a phone, for the parts of an answer: asking the page is too dear for each of them. */
export const NarrowContext = createContext(false);

/** Whether the page is as narrow as a phone; one query for all who ask. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, () => false);
}

function isNarrow(): boolean {
  if (query === null) watch();
  return isNarrowNow;
}

function subscribe(changed: () => void): () => void {
  if (query === null) watch();
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
  };
}

function watch(): void {
  const asked = matchMedia(narrow);
  query = asked;
  isNarrowNow = asked.matches;
  asked.addEventListener("change", () => {
    isNarrowNow = asked.matches;
    listeners.forEach((changed) => changed());
  });
}
