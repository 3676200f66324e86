// Titles of sessions: one trimmed line of at most 32 code points (wire-contract.md §3.2, §4.6, §10.3).
import { LIMITS } from "../limits.ts";
import { codePointLength, firstCodePoints, hasAtMost } from "./code-points.ts";
import { oneLine } from "./one-line.ts";
import { isBlankPrompt } from "./prompt-rules.ts";

export type TitleCheck = { ok: true; title: string } | { ok: false; problem: "empty" | "too-long" };

/** A title typed by hand: made one line and trimmed, refused when nothing or too much is left. */
export function checkTitle(input: string): TitleCheck {
  const title = oneLine(input);
  if (title === "") return { ok: false, problem: "empty" };
  return hasAtMost(title, LIMITS.titleChars) ? { ok: true, title } : { ok: false, problem: "too-long" };
}

/** What quotes and what ends a title that a model wrote: neither belongs to it. */
const AROUND = /^[\s"'“”‘’「『《]+|[\s"'“”‘’」』》.。]+$/gu;

/** The title in a model's answer: its first line, without markdown, quotation marks and full stop. "" for none. */
export function titleInAnswer(answer: string): string {
  const line = answer.split("\n").find((candidate) => /[^\s#*_`~-]/u.test(candidate)) ?? "";
  const plain = withoutMarkdown(line.replace(AROUND, "")).replace(AROUND, "");
  return fitTitle(plain);
}

/**
 * A line without the marks of markdown, paired or left over from a title that was cut. Within code, in `2 ** 10` and in
 * `snake_case` they are no marks.
 */
function withoutMarkdown(line: string): string {
  const text = line.replace(/^\s*(?:#{1,6}\s+|[-*+>]\s+)+/u, "").replace(/\s+#+\s*$/u, "");
  // What stands between backquotes is code, and stays as it is.
  return text
    .split(/(`+[^`]+`+)/u)
    .map((part) => (/^`.*`$/u.test(part) ? part.replace(/^`+|`+$/gu, "") : withoutMarks(part)))
    .join("");
}

function withoutMarks(text: string): string {
  return (
    text
      .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
      .replace(/(?<![A-Za-z0-9*_~])(\*{1,3}|_{1,3}|~~)(?=[^\s*_~])(.*?[^\s*_~])\1(?![A-Za-z0-9*_~])/gu, "$2")
      // One of a pair, where it can be nothing else.
      .replace(/(?<![\p{L}\p{N}*])\*{2,3}(?=[^\s*])|(?<=[^\s*])\*{2,3}(?![\p{L}\p{N}*])|`/gu, "")
  );
}

/** A title made by the model, cut to its greatest length; "" when nothing is left. */
function fitTitle(made: string): string {
  return firstCodePoints(oneLine(made), LIMITS.titleChars).trimEnd();
}

/**
 * The first words of a prompt as a title, with "…" where more follow; a first word over the limit is cut. "" for a blank
 * prompt.
 */
export function firstWordsTitle(prompt: string): string {
  const line = oneLine(prompt);
  return hasAtMost(line, LIMITS.titleChars) ? line : `${firstWords(line)}…`;
}

/**
 * What a question is called by itself: its first words, or the names of its files where it says nothing. "" where there is
 * neither.
 */
export function questionTitle(prompt: string, fileNames: readonly string[]): string {
  const words = isBlankPrompt(prompt) ? fileNames.join(", ") : prompt;
  // A question may be long: a title has room for its beginning alone.
  return firstWordsTitle(words.trimStart().slice(0, 10 * LIMITS.titleChars));
}

/** What of a line that is too long has room before its "…". */
function firstWords(line: string): string {
  const room = firstCodePoints(line, LIMITS.titleChars);
  const lastSpace = room.lastIndexOf(" ");
  // Scripts without spaces, and one long word before the limit, would lose nearly everything at the space.
  const words = lastSpace > 0 && codePointLength(room.slice(0, lastSpace)) >= LIMITS.titleChars / 2;
  return words ? room.slice(0, lastSpace) : firstCodePoints(line, LIMITS.titleChars - 1).trimEnd();
}
