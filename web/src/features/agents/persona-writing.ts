// A persona that is being written, through the saves that are under way meanwhile. Pure.
import type { CharacterProblem, TypedCharacter } from "@plumb/protocol/rules/character-rules";
import type { Character } from "@plumb/protocol/wire/agents";
import type { SaveResult } from "../../engine/agents/create-agents.ts";

export interface Writing {
  /** Tells one form from those that are opened later. */
  form: number;
  /** The one that is edited; null for a new one. */
  persona: Character | null;
  typed: TypedCharacter;
  problems: readonly CharacterProblem[];
}

/**
 * What is being written once the save of `saved` has its answer; null where that is done. Nothing is lost that was typed while
 * the answer was on its way, in this form or in another one.
 */
export function afterSave(now: Writing | null, saved: Writing, result: SaveResult): Writing | null {
  if (now === null || now.form !== saved.form) return now;
  if (result.ok) {
    return now.typed === saved.typed ? null : { ...now, persona: result.character, problems: [] };
  }
  return { ...now, problems: result.problems, persona: result.isGone ? null : now.persona };
}
