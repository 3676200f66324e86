// Which model the user asks (wire-contract.md §19.4): chosen in the composer, remembered for each user of this browser.
import type { User } from "@plumb/protocol/wire/accounts";
import type { ModelSettings } from "@plumb/protocol/wire/site";
import { DEFAULT_MODEL } from "@plumb/protocol/wire/turns";
import { parseJson } from "@plumb/protocol/wire/json";
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";

const STORED_AS = "plumb.models";
/** Who used this browser longest ago is forgotten first. */
const USERS_KEPT = 20;

/** User and model; who used this browser last stands last. */
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

export function createModelChoice(browser: Browser, isSignedIn: () => boolean) {
  let choices = readChoices(browser.storage.get(STORED_AS));
  let owner: string | null = null;
  // Until the user is known it is taken to be the one of before.
  const store = createStore<{ chosen: string }>(() => ({
    chosen: isSignedIn() ? (choices.at(-1)?.[1] ?? "") : "",
  }));

  function write(userId: string, model: string): void {
    choices = [...choices.filter(([id]) => id !== userId), [userId, model] as const].slice(-USERS_KEPT);
    browser.storage.set(STORED_AS, JSON.stringify(choices));
    store.setState({ chosen: model });
  }

  /** The user is known: what this user chose before is chosen again. */
  function open(user: Pick<User, "id"> | null): void {
    if (user === null || user.id === owner) return;
    owner = user.id;
    // Another tab may have written meanwhile.
    choices = readChoices(browser.storage.get(STORED_AS));
    // Nothing is kept in a browser where nobody has chosen.
    if (choices.length === 0) return store.setState({ chosen: "" });
    write(user.id, choices.find(([id]) => id === user.id)?.[1] ?? "");
  }

  /** Chooses a model by its id in the settings. */
  function choose(model: string): void {
    if (owner !== null) write(owner, model === DEFAULT_MODEL ? "" : model);
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
