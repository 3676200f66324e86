// Which model the user asks (wire-contract.md §19.4): chosen in the composer, remembered for each user of this browser.
import type { User } from "@plumb/protocol/wire/accounts";
import type { ModelSettings } from "@plumb/protocol/wire/site";
import { DEFAULT_MODEL } from "@plumb/protocol/wire/turns";
import { parseJson } from "@plumb/protocol/wire/json";
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";

const STORED_AS = "plumb.models";
/** Who chose longest ago is forgotten first. */
const USERS_KEPT = 20;

/** User and model; who chose last stands last. */
type Choice = readonly [userId: string, model: string];

function readChoices(json: string | null): Choice[] {
  const parsed = parseJson(json ?? "");
  if (!parsed.ok || !Array.isArray(parsed.value)) return [];
  return parsed.value.filter(isChoice);
}

function isChoice(value: unknown): value is Choice {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}

/** What is asked: the chosen model where it is offered, else the default one. Undefined before the settings came. */
export function modelInUse(
  chosen: string,
  models: readonly ModelSettings[] | undefined,
): ModelSettings | undefined {
  return models?.find(({ id }) => id === chosen) ?? models?.[0];
}

export function createModelChoice(browser: Browser) {
  let owner: string | null = null;
  const store = createStore<{ chosen: string }>(() => ({ chosen: "" }));
  // Read anew each time: another tab may have written meanwhile.
  const choices = (): Choice[] => readChoices(browser.storage.get(STORED_AS));

  /** The user is known: what this user chose before is chosen again. */
  function open(user: Pick<User, "id"> | null): void {
    if (user === null || user.id === owner) return;
    owner = user.id;
    store.setState({ chosen: choices().find(([id]) => id === user.id)?.[1] ?? "" });
  }

  /** Chooses a model by its id in the settings. */
  function choose(id: string): void {
    const chosen = id === DEFAULT_MODEL ? "" : id;
    const user = owner;
    if (user === null) return;
    const kept = [...choices().filter(([other]) => other !== user), [user, chosen] as const];
    browser.storage.set(STORED_AS, JSON.stringify(kept.slice(-USERS_KEPT)));
    store.setState({ chosen });
  }

  /** The server does not offer this model any more. */
  function forget(model: string): void {
    if (store.getState().chosen === model) choose("");
  }

  function clear(): void {
    owner = null;
    store.setState({ chosen: "" });
  }

  return { store, open, choose, forget, clear };
}
