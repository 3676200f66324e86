// What lies over the page: dialogs one part of the screen opens and another shows.
import { createStore } from "zustand/vanilla";

export interface OverlaysState {
  settings: null | "general";
  shortcuts: boolean;
  /** Session ids whose rename or delete dialog is open. */
  renaming: string | null;
  deleting: string | null;
}

const CLOSED: OverlaysState = { settings: null, shortcuts: false, renaming: null, deleting: null };

export function createOverlays() {
  const store = createStore<OverlaysState>(() => CLOSED);
  return {
    store,
    change: (change: Partial<OverlaysState>): void => store.setState(change),
    clear: (): void => store.setState(CLOSED),
  };
}
