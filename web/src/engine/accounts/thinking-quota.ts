// How many messages with deep thinking the user has today (wire-contract.md §9): asked at the start, then by the replies.
import { featureQuota, type Quota } from "@plumb/protocol/wire/accounts";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";

export function createThinkingQuota(api: ApiClient) {
  const store = createStore<{ quota: Quota | null }>(() => ({ quota: null }));
  // Raised when the account leaves: an earlier call's answer belongs to another account.
  let generation = 0;

  function update(quota: Quota): void {
    store.setState({ quota });
  }

  /** Asks once; a failure is ignored, since the next reply brings the number. */
  async function load(): Promise<void> {
    const mine = generation;
    const result = await api.call(featureQuota, {});
    if (result.ok && mine === generation) update(result.data.thinking);
  }

  function clear(): void {
    generation += 1;
    store.setState({ quota: null });
  }

  return { store, update, load, clear };
}
