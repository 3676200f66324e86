// What a prompt may be, and the id its sender gives to the stream it asks for (wire-contract.md §11.2).
import { LIMITS } from "../limits.ts";
import { isUnseen } from "./one-line.ts";

export type PromptProblem = "empty" | "invalid-unicode";

/** True for a prompt that shows nothing: white space, or characters without width. */
export function isBlankPrompt(prompt: string): boolean {
  return isUnseen(prompt);
}

const UNUSABLE = /[\p{Surrogate}\0]/u;

/** False for a lone surrogate or U+0000, which databases and models cannot take. */
export function isUsableUnicode(prompt: string): boolean {
  return !UNUSABLE.test(prompt);
}

/** The first problem in the order of the contract, or null. A blank prompt is allowed with files. */
export function promptProblem(prompt: string, options: { hasFiles: boolean }): PromptProblem | null {
  if (!isUsableUnicode(prompt)) return "invalid-unicode";
  return isBlankPrompt(prompt) && !options.hasFiles ? "empty" : null;
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * `YYYYMMDD-` and 16 characters. The date is the sender's own; `randomInt(limit)` yields integers in [0, limit) and
 * need not be secure: the id must only be new within its session.
 */
export function makeClientStreamId(
  date: { year: number; month: number; day: number },
  randomInt: (limit: number) => number,
): string {
  const day = [pad(date.year, 4), pad(date.month, 2), pad(date.day, 2)].join("");
  const random = Array.from({ length: LIMITS.clientStreamIdRandomChars }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  );
  return `${day}-${random.join("")}`;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
