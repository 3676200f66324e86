// The language of a query where its script tells one. Latin letters tell none.

export type QueryLanguage = "zh" | "ja" | "ko" | "ru";

export function queryLanguage(query: string): QueryLanguage | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query)) return "ja";
  if (/\p{Script=Hangul}/u.test(query)) return "ko";
  if (/\p{Script=Han}/u.test(query)) return "zh";
  if (/\p{Script=Cyrillic}/u.test(query)) return "ru";
  return null;
}

/** The query cut to so many characters, and to so many words where a provider counts them. */
export function fitQuery(query: string, chars: number, words = Number.POSITIVE_INFINITY): string {
  const fitting = query.trim().split(/\s+/u).slice(0, words).join(" ");
  return Array.from(fitting.slice(0, chars * 2))
    .slice(0, chars)
    .join("");
}
