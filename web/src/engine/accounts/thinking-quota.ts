// How many messages with deep thinking the user has today (wire-contract.md §9): asked at the start and when a new day has
// begun, and told by the replies.
import { LIMITS } from "@plumb/protocol/limits";
import { featureQuota, type Quota } from "@plumb/protocol/wire/accounts";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { Browser, Cancel } from "../browser.ts";

/** Where this clock says that the new day began long ago, it is no measure: the server is not asked more often (milliseconds). */
const LEAST_WAIT_MS = 5 * 60_000;
/** A machine that slept, or whose clock was set, notices so soon that the time has come (milliseconds). */
const LOOK_AGAIN_MS = 30_000;
/** A new day begins for all pages at once, and they ask one after another: 256 times this at most (milliseconds). */
const SPREAD_MS = 250;

export function createThinkingQuota(browser: Browser, api: ApiClient) {
  const store = createStore<{ quota: Quota | null }>(() => ({ quota: null }));
  // Raised when the account leaves: an earlier call's answer belongs to another account.
  let generation = 0;
  let cancel: Cancel | null = null;

  function update(quota: Quota): void {
    store.setState({ quota });
    cancel?.();
    if (quota.quota >= LIMITS.quotaUnlimited) return;
    const spread = (browser.randomBytes(1)[0] ?? 0) * SPREAD_MS;
    const wait = Math.max(quota.reset_at * 1000 - browser.now(), LEAST_WAIT_MS);
    watch(browser.now() + wait + spread);
  }

  function watch(dueAt: number): void {
    const left = dueAt - browser.now();
    cancel?.();
    cancel = browser.after(Math.min(Math.max(left, 0), LOOK_AGAIN_MS), () =>
      browser.now() >= dueAt ? void load() : watch(dueAt),
    );
  }

  /** Asks once at the start; a failure is ignored then, since the next reply brings the number. */
  async function load(): Promise<void> {
    const mine = generation;
    const result = await api.call(featureQuota, {});
    if (mine !== generation) return;
    if (result.ok) update(result.data.thinking);
    // A machine that wakes up asks before its network is back.
    else if (store.getState().quota !== null) watch(browser.now() + LOOK_AGAIN_MS);
  }

  function clear(): void {
    generation += 1;
    cancel?.();
    store.setState({ quota: null });
  }

  return { store, update, load, clear };
}
