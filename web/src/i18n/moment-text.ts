import type { Locale } from "../engine/site/locale.ts";
import { languageTag } from "./language-tag.ts";

/** The day of a moment (unix seconds) as people of the locale write it, by this machine's clock. */
export function dayText(secs: number, locale: Locale): string {
  return new Intl.DateTimeFormat(languageTag(locale), { dateStyle: "medium" }).format(new Date(secs * 1000));
}

/** A moment (unix seconds) as people of the locale write it, to the minute, by this machine's clock. */
export function momentText(secs: number, locale: Locale): string {
  const format = new Intl.DateTimeFormat(languageTag(locale), { dateStyle: "long", timeStyle: "short" });
  return format.format(new Date(secs * 1000));
}
