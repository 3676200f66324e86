// The personas of the fake server.
import {
  type CharacterProblem,
  characterProblems,
  fitCharacter,
  type TypedCharacter,
} from "@plumb/protocol/rules/character-rules";
import { LIMITS } from "@plumb/protocol/limits";
import { type Character, CharacterRefusal } from "@plumb/protocol/wire/agents";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { ok, refused } from "./fake-answers.ts";
import type { Request } from "./fake-request.ts";

const REFUSALS: Record<CharacterProblem, RefusalCode> = {
  "name-empty": CharacterRefusal.CharacterNameEmpty,
  "instructions-empty": CharacterRefusal.CharacterInstructionsEmpty,
  "name-too-long": CharacterRefusal.CharacterNameTooLong,
  "greeting-too-long": CharacterRefusal.CharacterGreetingTooLong,
  "instructions-too-long": CharacterRefusal.CharacterInstructionsTooLong,
  "avatar-invalid": CharacterRefusal.CharacterAvatarInvalid,
};
const refuse = ({ code, msg }: RefusalCode): Response => refused(code, msg);

const textOr = (value: unknown, fallback: string | null): string | null =>
  typeof value === "string" ? value : fallback;

export type FakeCharacters = ReturnType<typeof createFakeCharacters>;

/** `secs`: the moment the server lives at. */
export function createFakeCharacters(secs: number) {
  /** The latest update first. */
  let characters: Character[] = [];
  let made = 0;

  function store(before: Character | null, { body }: Request): Response {
    const typed: TypedCharacter = {
      name: textOr(body["name"], before?.name ?? "") ?? "",
      instructions: textOr(body["instructions"], before?.instructions ?? "") ?? "",
      greeting: textOr(body["greeting"], body["greeting"] === null ? null : (before?.greeting ?? null)),
      avatar_text: textOr(body["avatar_text"], before?.avatar_text ?? null),
      avatar_color: textOr(body["avatar_color"], before?.avatar_color ?? null),
    };
    const [problem] = characterProblems(typed);
    if (problem !== undefined) return refuse(REFUSALS[problem]);
    if (before === null && characters.length >= LIMITS.charactersMax)
      return refuse(CharacterRefusal.MaxCharactersReached);
    const id = before?.id ?? `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
    const fields = fitCharacter(typed);
    const dates = { created_at: secs, updated_at: secs };
    // Ten of every character, so that few fill a budget.
    const character = { id, ...fields, token_usage: fields.instructions.length * 10, ...dates };
    characters = [character, ...characters.filter((one) => one !== before)];
    return ok({ ...character, character });
  }

  const find = ({ body }: Request): Character | undefined =>
    characters.find(({ id }) => id === body["character_id"]);

  return {
    has: (id: string): boolean => characters.some((one) => one.id === id),
    /** As if another device had deleted it. */
    remove(id: string): void {
      characters = characters.filter((one) => one.id !== id);
    },
    handlers: {
      "/api/v0/character/list": () => ok({ characters, max_count: LIMITS.charactersMax }),
      "/api/v0/character/create": (request: Request) => store(null, request),
      "/api/v0/character/update": (request: Request) => {
        const before = find(request);
        return before === undefined ? refuse(CharacterRefusal.CharacterNotFound) : store(before, request);
      },
      "/api/v0/character/delete": (request: Request) => {
        const gone = find(request);
        if (gone === undefined) return refuse(CharacterRefusal.CharacterNotFound);
        characters = characters.filter((one) => one !== gone);
        return ok(null);
      },
    },
  };
}
