// Whether the operator may train models with the user's chats (requirements 0§2, 0§3; wire-contract.md §9).
import { updateUserSettings, userSettings } from "@plumb/protocol/wire/own-account";
import { createStore } from "zustand/vanilla";
import { errorText } from "../texts.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";

export interface TrainingState {
  /** Null until the server has said it. */
  allowed: boolean | null;
  saving: boolean;
  /** It could not be read. */
  failed: boolean;
}

const UNKNOWN: TrainingState = { allowed: null, saving: false, failed: false };

export function createTraining({ api, reactions }: Pick<OwnAccountDeps, "api" | "reactions">) {
  const store = createStore<TrainingState>(() => UNKNOWN);
  let account = new AbortController();

  /** Asks the server, which other devices may have told otherwise. */
  async function load(): Promise<void> {
    const { signal } = account;
    store.setState({ failed: false });
    const result = await api.call(userSettings, {}, { signal });
    if (signal.aborted || store.getState().saving) return;
    store.setState(result.ok ? { allowed: result.data.training_allowed } : { failed: true });
  }

  /** Shows the wish at once, and what was before where it could not be saved. One wish at a time. */
  async function set(allowed: boolean): Promise<void> {
    const before = store.getState();
    if (before.allowed === null || before.saving) return;
    const { signal } = account;
    store.setState({ allowed, saving: true });
    const result = await api.call(updateUserSettings, { training_allowed: allowed }, { signal });
    if (signal.aborted) return;
    if (result.ok) return store.setState({ allowed: result.data.training_allowed, saving: false });
    store.setState({ allowed: before.allowed, saving: false });
    const known = result.error.kind === "network" ? null : errorText(result.error);
    reactions.toast({
      type: "error",
      text: known ?? { key: "allowTrainingSwitchNetworkError" },
      dedupeKey: "training",
    });
  }

  function clear(): void {
    account.abort();
    account = new AbortController();
    store.setState(UNKNOWN);
  }

  return { store, load, set, clear };
}
