// Where the engine wants the screen to go. The router takes the wish and clears it.
import { createStore } from "zustand/vanilla";

export function createNavigation() {
  const store = createStore<{ to: string | null; replace: boolean }>(() => ({ to: null, replace: false }));
  return {
    store,
    go: (to: string, replace = false): void => store.setState({ to, replace }),
  };
}
