/** What programs put on the clipboard side by side: the same thing as text, as a picture and with its formats. */
const SAME_THING = ["text/plain", "image/png", "text/rtf"];

/**
 * Whether a paste with files means the files: a clipboard with more than one of plain text, PNG and RTF holds text that
 * was copied, and a picture of it (requirements 1§5).
 */
export function isFilePaste(types: readonly string[], files: number): boolean {
  return files > 0 && SAME_THING.filter((type) => types.includes(type)).length <= 1;
}
