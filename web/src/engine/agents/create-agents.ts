// The user's personas: looked up, written, deleted. Its code loads when one is met (load-agents.ts).
import {
  type CharacterProblem,
  characterProblems,
  type TypedCharacter,
} from "@plumb/protocol/rules/character-rules";
import {
  type Character,
  CharacterRefusal,
  createCharacter,
  deleteCharacter,
  updateCharacter,
} from "@plumb/protocol/wire/agents";
import type { StoreApi } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";
import type { AgentsState, PersonaList } from "./persona-list.ts";

export interface AgentsDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  store: StoreApi<AgentsState>;
  list: PersonaList;
}

/**
 * `problems` are to be said beside their fields; with none of them it was said in a toast. `isGone`: the persona that was
 * changed is not there any more, and what is typed can be saved as a new one.
 */
export type SaveResult =
  { ok: true; character: Character } | { ok: false; problems: readonly CharacterProblem[]; isGone: boolean };

const PROBLEMS: ReadonlyMap<number, CharacterProblem> = new Map([
  [CharacterRefusal.CharacterNameEmpty.code, "name-empty"],
  [CharacterRefusal.CharacterInstructionsEmpty.code, "instructions-empty"],
  [CharacterRefusal.CharacterNameTooLong.code, "name-too-long"],
  [CharacterRefusal.CharacterGreetingTooLong.code, "greeting-too-long"],
  [CharacterRefusal.CharacterInstructionsTooLong.code, "instructions-too-long"],
  [CharacterRefusal.CharacterAvatarInvalid.code, "avatar-invalid"],
]);

const TOASTS: ReadonlyMap<number, Text> = new Map([
  [CharacterRefusal.CharacterNotFound.code, { key: "characterNotFound" }],
  [CharacterRefusal.MaxCharactersReached.code, { key: "maxCharactersReached" }],
  [CharacterRefusal.CharacterInfoViolation.code, { key: "characterInfoViolation" }],
]);

export type AgentWork = ReturnType<typeof createAgentWork>;

export function createAgentWork({ browser, api, reactions, store, list }: AgentsDeps) {
  /** What was changed here holds: a list that is under way was asked for before. */
  function change(next: (characters: readonly Character[]) => readonly Character[]): void {
    const isAsked = list.stop();
    const { characters } = store.getState();
    if (characters !== null) list.take(next(characters));
    if (isAsked) void list.load();
  }

  /** Finds out whether the user has the persona, which another device may have made a moment ago. */
  async function look(id: string): Promise<void> {
    const isKnown = () => store.getState().characters?.some((one) => one.id === id) === true;
    if (isKnown() || store.getState().gone.includes(id)) return;
    if ((await list.load()) && !isKnown()) store.setState(({ gone }) => ({ gone: [...gone, id] }));
  }

  function showFailure(error: ApiError): void {
    browser.log("a persona was not saved", error);
    const known = error.kind === "refused" && error.scope === "call" ? TOASTS.get(error.code) : undefined;
    const text = known ?? errorText(error);
    if (text !== null) reactions.toast({ type: "error", text, dedupeKey: "personas" });
    else if (error.kind === "refused" && error.scope === "call")
      reactions.toast({ type: "error", text: { key: "unexpectedRequest3" }, dedupeKey: "personas" });
  }

  const isNotFound = (error: ApiError): boolean =>
    error.kind === "refused" &&
    error.scope === "call" &&
    error.code === CharacterRefusal.CharacterNotFound.code;

  /** Stores what is typed: as a new persona, or in the place of the one with this id. */
  async function save(id: string | null, typed: TypedCharacter): Promise<SaveResult> {
    const problems = characterProblems(typed);
    if (problems.length > 0) return { ok: false, problems, isGone: false };
    // A call leaves out what is null: an empty greeting takes one away.
    const input = { ...typed, greeting: typed.greeting ?? "" };
    const signal = list.signal();
    const result = await (id === null
      ? api.call(createCharacter, input, { signal })
      : api.call(updateCharacter, { ...input, character_id: id }, { signal }));
    if (signal.aborted) return { ok: false, problems: [], isGone: false };
    if (result.ok) {
      const { character } = result.data;
      change((characters) => [character, ...characters.filter((one) => one.id !== character.id)]);
      return { ok: true, character };
    }
    const { error } = result;
    const problem = error.kind === "refused" && error.scope === "call" ? PROBLEMS.get(error.code) : undefined;
    if (problem !== undefined) return { ok: false, problems: [problem], isGone: false };
    showFailure(error);
    if (isNotFound(error)) change((characters) => characters.filter((one) => one.id !== id));
    return { ok: false, problems: [], isGone: isNotFound(error) };
  }

  /** Deletes a persona; true when it is gone, by this or before. */
  async function remove(id: string): Promise<boolean> {
    const signal = list.signal();
    const result = await api.call(deleteCharacter, { character_id: id }, { signal });
    if (signal.aborted) return false;
    if (!result.ok) showFailure(result.error);
    const isGone = result.ok || isNotFound(result.error);
    if (isGone) change((characters) => characters.filter((one) => one.id !== id));
    return isGone;
  }

  return { look, save, remove };
}
