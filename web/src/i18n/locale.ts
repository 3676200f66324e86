export type Locale = "zh_CN" | "en_US";

/** The locale to show: the chosen one, or with `system` the first of the browser's languages that we have (0§9). */
export function resolveLocale(preference: Locale | "system", languages: readonly string[]): Locale {
  if (preference !== "system") return preference;
  for (const language of languages) {
    const base = language.toLowerCase().split("-")[0];
    if (base === "zh") return "zh_CN";
    if (base === "en") return "en_US";
  }
  return "en_US";
}

/** The same as a language tag, for `lang` and Intl. */
export function languageTag(locale: Locale): string {
  return locale === "zh_CN" ? "zh-CN" : "en-US";
}
