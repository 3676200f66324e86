// What a persona may be (wire-contract.md §15, §18.10). The form says it beside its fields, the server answers it by number.
import { LIMITS } from "../limits.ts";
import { firstCodePoints, hasAtMost } from "./code-points.ts";
import { isUnseen, oneLine } from "./one-line.ts";

/** A persona as it is typed: null and texts that show nothing stand for what is left out. */
export interface TypedCharacter {
  name: string;
  greeting: string | null;
  instructions: string;
  avatar_text: string | null;
  avatar_color: string | null;
}

/** The same, fit to be stored. */
export interface CharacterFields extends TypedCharacter {
  avatar_text: string;
  /** `#rrggbb`, lower case. */
  avatar_color: string;
}

/** In the order in which the server looks for them. */
export const CHARACTER_PROBLEMS = [
  "name-empty",
  "instructions-empty",
  "name-too-long",
  "greeting-too-long",
  "instructions-too-long",
  "avatar-invalid",
] as const;
export type CharacterProblem = (typeof CHARACTER_PROBLEMS)[number];

/** What is offered; any other colour is taken, too. */
export const AVATAR_COLORS = [
  "#0f6b75",
  "#2f5fb3",
  "#6a4fb6",
  "#a23e83",
  "#b23b3b",
  "#a35a12",
  "#5f7119",
  "#5b6470",
] as const;

/** Trimmed, with what was left out filled in. To be stored only where `characterProblems` finds none. */
export function fitCharacter(typed: TypedCharacter): CharacterFields {
  const name = oneLine(typed.name);
  return {
    name,
    greeting: seen(typed.greeting ?? "") || null,
    instructions: seen(typed.instructions),
    avatar_text: oneLine(typed.avatar_text ?? "") || firstCharacter(name),
    avatar_color: typed.avatar_color?.trim().toLowerCase() || pickColor(name),
  };
}

/** Everything that is wrong with what is typed. */
export function characterProblems(typed: TypedCharacter): CharacterProblem[] {
  const { name, greeting, instructions, avatar_text, avatar_color } = fitCharacter(typed);
  const found: Record<CharacterProblem, boolean> = {
    "name-empty": name === "",
    "instructions-empty": instructions === "",
    "name-too-long": !hasAtMost(name, LIMITS.characterNameChars),
    "greeting-too-long": !hasAtMost(greeting ?? "", LIMITS.characterGreetingChars),
    "instructions-too-long": !hasAtMost(instructions, LIMITS.characterInstructionsChars),
    "avatar-invalid":
      !hasAtMost(avatar_text, LIMITS.characterAvatarChars) || !/^#[0-9a-f]{6}$/.test(avatar_color),
  };
  return CHARACTER_PROBLEMS.filter((problem) => found[problem]);
}

/** A text of lines, trimmed; "" where nothing of it can be seen. */
function seen(text: string): string {
  return isUnseen(text) ? "" : text.trim();
}

const graphemes = new Intl.Segmenter();

/** What a reader takes for the first character, as far as an avatar has room for it. */
function firstCharacter(name: string): string {
  const [first] = graphemes.segment(firstCodePoints(name, 8));
  return firstCodePoints(first?.segment ?? "", LIMITS.characterAvatarChars);
}

/** The same for the same name. */
function pickColor(name: string): string {
  let sum = 0;
  for (const character of name.slice(0, 2 * LIMITS.characterNameChars)) sum += character.codePointAt(0) ?? 0;
  return AVATAR_COLORS[sum % AVATAR_COLORS.length] ?? AVATAR_COLORS[0];
}
