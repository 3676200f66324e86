// Where the engine wants the screen to go. The router takes the wish and clears it.
import { createStore } from "zustand/vanilla";

export interface NavigationState {
  /** Path the screen shall go to (new session, invalid session, sign-out); the router takes it and clears it. */
  to: string | null;
  replace: boolean;
}

export function createNavigation() {
  const store = createStore<NavigationState>(() => ({ to: null, replace: false }));
  return {
    store,
    go: (to: string, replace = false): void => store.setState({ to, replace }),
  };
}
