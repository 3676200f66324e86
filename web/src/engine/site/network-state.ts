// Whether the host says that it has a network.
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";

export interface NetworkState {
  /** False only where the host is sure; true promises nothing. */
  online: boolean;
  /** The page shows what was kept in the browser: the server has not answered since it was opened. */
  unreached: boolean;
}

export function createNetworkState(browser: Browser) {
  const store = createStore<NetworkState>(() => ({ online: browser.online(), unreached: false }));
  const update = (): void => store.setState({ online: browser.online() });
  let listening: Cancel[] = [];

  function stop(): void {
    for (const cancel of listening) cancel();
    listening = [];
  }

  function start(): void {
    stop();
    listening = [browser.onOnline(update), browser.onOffline(update)];
  }

  return { store, start, stop };
}
