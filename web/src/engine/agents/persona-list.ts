// The user's personas, as the server lists them: what the welcome page shows of them.
import type { Character } from "@plumb/protocol/wire/agents";
import { listCharacters } from "@plumb/protocol/wire/character-list";
import type { StoreApi } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";

/** What the page knows of the user's personas. */
export interface AgentsState {
  /** The latest update first; null until they came. */
  characters: readonly Character[] | null;
  /** The list could not be had. */
  failed: boolean;
  /** How many the user may have; 0 until that is known. */
  maxCount: number;
  /** Ids in use here that name no persona of the user, or no longer. */
  gone: readonly string[];
}

export interface PersonaListDeps {
  browser: Browser;
  api: ApiClient;
  store: StoreApi<AgentsState>;
}

export type PersonaList = ReturnType<typeof createPersonaList>;

export function createPersonaList({ browser, api, store }: PersonaListDeps) {
  let listing: { stop: AbortController; done: Promise<boolean> } | null = null;
  let account = new AbortController();

  /** Shows the list. Who was on it and is not any more is gone. */
  function take(characters: readonly Character[]): void {
    const now = new Set(characters.map(({ id }) => id));
    store.setState(({ characters: before, gone }) => {
      const left = (before ?? []).map(({ id }) => id).filter((id) => !now.has(id));
      return {
        characters,
        failed: false,
        gone: [...new Set([...gone, ...left])].filter((id) => !now.has(id)),
      };
    });
  }

  async function list(signal: AbortSignal): Promise<boolean> {
    const result = await api.call(listCharacters, {}, { signal });
    if (signal.aborted) return false;
    if (!result.ok) {
      browser.log("the personas could not be had", result.error);
      store.setState({ failed: true });
      return false;
    }
    store.setState({ maxCount: result.data.max_count });
    take(result.data.characters);
    return true;
  }

  /** Asks for the list, whatever is known. True when it came. */
  function load(): Promise<boolean> {
    if (listing !== null) return listing.done;
    const stop = new AbortController();
    const done = list(AbortSignal.any([stop.signal, account.signal])).finally(() => {
      if (listing?.done === done) listing = null;
    });
    listing = { stop, done };
    return done;
  }

  /** Lets go of a list that is under way. True where there was one. */
  function stop(): boolean {
    const asked = listing;
    asked?.stop.abort();
    listing = null;
    return asked !== null;
  }

  function clear(): void {
    account.abort();
    account = new AbortController();
    listing = null;
  }

  return {
    load,
    take,
    stop,
    clear,
    /** Aborted when the account leaves. */
    signal: (): AbortSignal => account.signal,
  };
}
