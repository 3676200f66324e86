/** How long a new title takes to write itself (requirements 1§9). */
const TITLE_WRITING_MS = 400;

/** The part of a title that is written after so many milliseconds; characters are never cut in half. */
export function writtenPart(text: string, elapsedMs: number): string {
  const characters = [...text];
  const share = Math.min(1, Math.max(0, elapsedMs / TITLE_WRITING_MS));
  return characters.slice(0, Math.ceil(share * characters.length)).join("");
}
