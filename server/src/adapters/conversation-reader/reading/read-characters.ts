// The personas of an own export: its account.json has them as `character/list` answers them (wire-contract.md §14, §15).
import { LIMITS } from "@plumb/protocol/limits";
import { isCharacterId } from "@plumb/protocol/rules/character-id";
import { characterProblems, fitCharacter } from "@plumb/protocol/rules/character-rules";
import type { CharacterRecord } from "../../../ports/conversation-reader.ts";
import { jsonIn, listAt, numberAt, textAt, timeOf } from "./json-value.ts";

/** Those that could be made here, too. `account` is JSON, or anything else; `now` in unix ms. */
export function readCharacters(account: string, now: number): CharacterRecord[] {
  return listAt(jsonIn(account), "characters")
    .slice(0, LIMITS.charactersMax)
    .flatMap((character) => readCharacter(character, now) ?? []);
}

function readCharacter(value: unknown, now: number): CharacterRecord | null {
  const ref = textAt(value, "id");
  const typed = {
    name: textAt(value, "name"),
    greeting: textAt(value, "greeting") || null,
    instructions: textAt(value, "instructions"),
    avatar_text: textAt(value, "avatar_text") || null,
    avatar_color: textAt(value, "avatar_color") || null,
  };
  if (!isCharacterId(ref) || characterProblems(typed).length > 0) return null;
  const createdAt = timeOf(numberAt(value, "created_at"), now) ?? now;
  const updatedAt = timeOf(numberAt(value, "updated_at"), now) ?? createdAt;
  return { type: "character", ref, fields: fitCharacter(typed), createdAt, updatedAt };
}
