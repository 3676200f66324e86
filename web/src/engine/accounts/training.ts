// Whether the operator may train models with the user's chats (requirements 0§2, 0§3; wire-contract.md §9).
import { updateUserSettings, userSettings } from "@plumb/protocol/wire/own-account";
import { createStore } from "zustand/vanilla";
import { type Asked, createPoll } from "../poll.ts";
import { isPassing } from "../api-errors.ts";
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

/** While it could not be read it is asked for less and less often, from here to there (milliseconds). */
const [FIRST_RETRY_MS, SLOWEST_RETRY_MS] = [5000, 60_000];

export function createTraining({
  browser,
  api,
  reactions,
}: Pick<OwnAccountDeps, "browser" | "api" | "reactions">) {
  const store = createStore<TrainingState>(() => UNKNOWN);
  const poll = createPoll({ browser, everyMs: FIRST_RETRY_MS, slowestMs: SLOWEST_RETRY_MS, ask });
  let account = new AbortController();

  async function ask(): Promise<Asked> {
    const { signal } = account;
    const result = await api.call(userSettings, {}, { signal });
    if (signal.aborted || store.getState().saving) return { outcome: "nothing" };
    if (result.ok) {
      store.setState({ allowed: result.data.training_allowed, failed: false });
      poll.stop();
      return { outcome: "answered" };
    }
    store.setState({ failed: true });
    if (store.getState().allowed === null && isPassing(result.error)) poll.start();
    return { outcome: "failed", error: result.error };
  }

  /** Asks the server, which other devices may have told otherwise. While it is away and nothing is known that goes on by itself. */
  async function load(): Promise<void> {
    store.setState({ failed: false });
    await ask();
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
    poll.stop();
    store.setState(UNKNOWN);
  }

  return { store, load, set, clear };
}
