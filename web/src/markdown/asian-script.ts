/** A letter or sign of Chinese, Japanese or Korean. */
export const asian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\ufe30-\ufe4f\uff00-\uffef]/u;

/** The character that ends before `at`; a space at the start of the text. */
export function characterBefore(text: string, at: number): string {
  if (at === 0) return " ";
  const last = text.charCodeAt(at - 1);
  return last >= 0xdc00 && last <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.charAt(at - 1);
}

/** The character that begins at `at`; a space at the end of the text. */
export function characterAfter(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 32);
}
