// A list of words as a person writes it: one on each line, blank lines and lines that begin with # left out.

export function wordsOf(text: string): string[] {
  return text
    .replace(/^\ufeff/u, "")
    .split(/\r\n|[\r\n]/u)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
