// The engine's part for personas loads when one is met: most chats do without it. What is here says which there are, to a
// welcome page that asks as often as it asks for chats.
import type { TypedCharacter } from "@plumb/protocol/rules/character-rules";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AgentsDeps, AgentWork, SaveResult } from "./agents/create-agents.ts";
import { createPersonaList, type AgentsState } from "./agents/persona-list.ts";
import { sayMissing } from "./say-missing.ts";

const load = () => import("./agents/create-agents.ts");

const NOTHING_KNOWN: AgentsState = { characters: null, failed: false, maxCount: 0, gone: [] };

/** `engine.agents`: the user's personas. */
export interface Agents {
  store: StoreApi<AgentsState>;
  /** Asks for the list. */
  load(): Promise<void>;
  /** Finds out whether this is a persona of the user: one that is not stands under `gone` then. */
  look(id: string): Promise<void>;
  /** Stores what is typed: as a new persona, or in the place of the one with this id. */
  save(id: string | null, typed: TypedCharacter): Promise<SaveResult>;
  /** Deletes a persona. False = it is still there, which was said in a toast. */
  remove(id: string): Promise<boolean>;
}

type LoadedDeps = Omit<AgentsDeps, "store" | "list"> & { userId(): string | null };

export function createAgentsPart(deps: LoadedDeps) {
  const { browser, api } = deps;
  const store = createStore<AgentsState>(() => NOTHING_KNOWN);
  let work: AgentWork | null = null;

  const list = createPersonaList({ browser, api, store });

  /** Does something with the part; where its code cannot be had that is said, and `otherwise` given. */
  async function withWork<T>(run: (here: AgentWork) => Promise<T>, otherwise: T): Promise<T> {
    try {
      const { createAgentWork } = await load();
      work ??= createAgentWork({ ...deps, store, list });
      return await run(work);
    } catch (error) {
      sayMissing(deps, "personas", error);
      return otherwise;
    }
  }

  const face: Agents = {
    store,
    load: async () => void (await list.load()),
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
    /** Asks for the list again, once it is known whose. */
    refresh(): void {
      if (deps.userId() !== null) void list.load();
    },
    /** The server says that a chat's persona was deleted. */
    lose: (id: string): void =>
      store.setState(({ characters, gone }) => ({
        characters: characters?.filter((one) => one.id !== id) ?? null,
        gone: gone.includes(id) ? gone : [...gone, id],
      })),
    clear(): void {
      list.clear();
      store.setState(NOTHING_KNOWN);
    },
  };
}
