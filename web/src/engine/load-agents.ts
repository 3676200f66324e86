// The engine's part for personas loads when one is met: most chats do without it. What is here says which there are.
import type { TypedCharacter } from "@plumb/protocol/rules/character-rules";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AgentsDeps, AgentsState, AgentWork, SaveResult } from "./agents/create-agents.ts";

const load = () => import("./agents/create-agents.ts");
/** Holds the id of a user who has personas, so that their tiles come with the page and others ask for none. */
const STORED_AS = "plumb.personas";

const NOTHING_KNOWN: AgentsState = { characters: null, failed: false, maxCount: 0, gone: [] };

/** `engine.agents`: the user's personas. */
export interface Agents {
  store: StoreApi<AgentsState>;
  /** This browser knows that the user has personas. */
  areLikely(): boolean;
  /** Asks for the list. */
  load(): Promise<void>;
  /** Finds out whether this is a persona of the user: one that is not stands under `gone` then. */
  look(id: string): Promise<void>;
  /** Stores what is typed: as a new persona, or in the place of the one with this id. */
  save(id: string | null, typed: TypedCharacter): Promise<SaveResult>;
  /** Deletes a persona. False = it is still there, which was said in a toast. */
  remove(id: string): Promise<boolean>;
}

type LoadedDeps = Omit<AgentsDeps, "store" | "onKnown"> & { userId(): string | null };

export function createAgentsPart(deps: LoadedDeps) {
  const { browser, reactions } = deps;
  const store = createStore<AgentsState>(() => NOTHING_KNOWN);
  let work: AgentWork | null = null;

  function onKnown(any: boolean): void {
    const userId = deps.userId();
    if (any && userId !== null) browser.storage.set(STORED_AS, userId);
    else browser.storage.remove(STORED_AS);
  }

  /** Does something with the part; where its code cannot be had that is said, and `otherwise` given. `quiet`: only to the log. */
  async function withWork<T>(
    run: (here: AgentWork) => Promise<T>,
    otherwise: T,
    { quiet = false } = {},
  ): Promise<T> {
    try {
      const { createAgentWork } = await load();
      work ??= createAgentWork({ ...deps, store, onKnown });
      return await run(work);
    } catch (error) {
      browser.log("the part for personas was not loaded", error);
      store.setState({ failed: true });
      if (!quiet) reactions.toast({ type: "error", text: { key: "networkError" }, dedupeKey: "personas" });
      return otherwise;
    }
  }

  const face: Agents = {
    store,
    areLikely: () => deps.userId() !== null && browser.storage.get(STORED_AS) === deps.userId(),
    // Asked for by the page itself, mostly; where the list would be it says that it is not there.
    load: () => withWork(async (here) => void (await here.load()), undefined, { quiet: true }),
    look: (id) => withWork((here) => here.look(id), undefined),
    save: (id, typed) =>
      withWork<SaveResult>((here) => here.save(id, typed), { ok: false, problems: [], isGone: false }),
    remove: (id) => withWork((here) => here.remove(id), false),
  };

  return {
    face,
    /** Tokens of a persona's instructions; 0 for another agent, and while they are not known. */
    tokensOf: (id: string): number =>
      store.getState().characters?.find((one) => one.id === id)?.token_usage ?? 0,
    /** The server says that a chat's persona was deleted. */
    lose: (id: string): void =>
      store.setState(({ characters, gone }) => ({
        characters: characters?.filter((one) => one.id !== id) ?? null,
        gone: gone.includes(id) ? gone : [...gone, id],
      })),
    clear(): void {
      work?.clear();
      browser.storage.remove(STORED_AS);
      store.setState(NOTHING_KNOWN);
    },
  };
}
