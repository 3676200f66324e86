// What lies over the page: dialogs one part of the screen opens and another shows.
import { createStore } from "zustand/vanilla";
import type { OverlaysState } from "../engine.ts";

const CLOSED: OverlaysState = { settings: null, shortcuts: false, renaming: null, deleting: null };

export function createOverlays() {
  const store = createStore<OverlaysState>(() => CLOSED);
  return {
    store,
    change: (change: Partial<OverlaysState>): void => store.setState(change),
    closeAll: (): void => store.setState(CLOSED),
  };
}
