import type { Locale } from "../engine/site/locale.ts";

/** A locale as a language tag, for `lang` and Intl. */
export function languageTag(locale: Locale): string {
  return locale === "zh_CN" ? "zh-CN" : "en-US";
}
