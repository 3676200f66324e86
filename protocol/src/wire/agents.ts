// Personas, the agents that users make for themselves: create, list, edit, delete (wire-contract.md §3.6, §15).
import * as z from "zod/mini";
import { isUsableUnicode } from "../rules/prompt-rules.ts";
import { defineCall } from "./call.ts";
import { maybe, withDefault } from "./fields.ts";

/**
 * `greeting` is shown on an empty chat, `instructions` are the system prompt, of `token_usage` tokens; times are unix
 * seconds.
 */
export interface Character {
  id: string;
  name: string;
  greeting: string | null;
  instructions: string;
  token_usage: number;
  avatar_text: string;
  /** `#rrggbb`. */
  avatar_color: string;
  created_at: number;
  updated_at: number;
}

export const CharacterRefusal = {
  CharacterNotFound: { code: 1, msg: "CHARACTER_NOT_FOUND" },
  CharacterNameEmpty: { code: 2, msg: "CHARACTER_NAME_EMPTY" },
  CharacterInstructionsEmpty: { code: 3, msg: "CHARACTER_INSTRUCTIONS_EMPTY" },
  CharacterNameTooLong: { code: 4, msg: "CHARACTER_NAME_TOO_LONG" },
  CharacterGreetingTooLong: { code: 5, msg: "CHARACTER_GREETING_TOO_LONG" },
  CharacterInstructionsTooLong: { code: 6, msg: "CHARACTER_INSTRUCTIONS_TOO_LONG" },
  MaxCharactersReached: { code: 7, msg: "MAX_CHARACTERS_REACHED" },
  CharacterInfoViolation: { code: 8, msg: "CHARACTER_INFO_VIOLATION" },
  CharacterAvatarInvalid: { code: 9, msg: "CHARACTER_AVATAR_INVALID" },
} as const;

/** What is too long, or empty, has a number of its own. */
const words = z.string().check(z.refine(isUsableUnicode, "invalid characters"));

/** What is said of a persona, flat and once more as an object. */
export type CharacterAnswer = Character & { character: Character };

export const createCharacter = defineCall<CharacterAnswer>()({
  method: "POST",
  path: "/api/v0/character/create",
  request: z.object({
    name: withDefault(words, ""),
    instructions: withDefault(words, ""),
    greeting: maybe(words),
    avatar_text: maybe(words),
    avatar_color: maybe(words),
  }),
});

/** What is absent or null stays; of the greeting null is none. */
export const updateCharacter = defineCall<CharacterAnswer>()({
  method: "POST",
  path: "/api/v0/character/update",
  request: z.object({
    character_id: z.string(),
    name: maybe(words),
    instructions: maybe(words),
    greeting: z.optional(z.nullable(words)),
    avatar_text: maybe(words),
    avatar_color: maybe(words),
  }),
});

export const deleteCharacter = defineCall<null>()({
  method: "POST",
  path: "/api/v0/character/delete",
  request: z.object({ character_id: z.string() }),
});
