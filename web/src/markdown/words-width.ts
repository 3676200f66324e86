/** The width of words, in letters: those of Chinese, Japanese and Korean are wider. */
export function wordsWidth(text: string): number {
  let width = text.length;
  for (const sign of text) if (sign >= "\u2e80") width += 0.7;
  return width;
}
