/** Words one after another and no sign of TeX among them. */
export function looksLikeProse(content: string): boolean {
  const words = /^[^\\^_{}=+<>$]*/.exec(content)?.[0] ?? "";
  return /[A-Za-z]{2,}[,.;:]?\s+(?:a\s+)?[A-Za-z]{2,}|[\u3400-\u9fff]/.test(words);
}
