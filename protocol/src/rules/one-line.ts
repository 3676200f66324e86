// Names and titles are one line that can be seen (wire-contract.md §10.3, §15); a prompt shows something (§11.2).

const BREAKS = /[\s\p{Cc}\p{Surrogate}]+/gu;

/** What takes no room on a screen, or room and no ink. At the end of a name some of it belongs to the sign before it, as in "❤️". */
const UNSEEN_AROUND =
  /^[\s\p{Default_Ignorable_Code_Point}\u2800]+|(?<![\s\u200b\u2800])[\s\u200b\u2800]+$/gu;

const SEEN = /[^\s\p{Cc}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Every run of white space, control characters and lone surrogates becomes one space, and the ends lose what cannot be
 * seen. "" for a text in which nothing can.
 */
export function oneLine(text: string): string {
  return text.replace(BREAKS, " ").replace(UNSEEN_AROUND, "");
}

/** True where a text, of any number of lines, shows nothing: white space, or characters without width. */
export function isUnseen(text: string): boolean {
  return !SEEN.test(text);
}
