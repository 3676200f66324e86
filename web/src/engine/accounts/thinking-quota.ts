// How many messages with deep thinking the user has today (wire.md §9): asked at the start, then told by replies.
import { featureQuota, type Quota } from "@plumb/protocol/wire/accounts";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";

export function createThinkingQuota(api: ApiClient) {
  const store = createStore<{ quota: Quota | null }>(() => ({ quota: null }));
  // Raised when the account leaves: an answer asked for before is somebody else's.
  let era = 0;

  function tell(quota: Quota): void {
    store.setState({ quota });
  }

  /** Asks once; an answer that doesn't come is no loss, the next reply tells. */
  async function load(): Promise<void> {
    const mine = era;
    const result = await api.call(featureQuota, {});
    if (result.ok && mine === era) tell(result.data.thinking);
  }

  function clear(): void {
    era += 1;
    store.setState({ quota: null });
  }

  return { store, tell, load, clear };
}
