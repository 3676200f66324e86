import type { Locale } from "../engine/site/locale.ts";
import { languageTag } from "./language-tag.ts";

const two = (value: number): string => String(value).padStart(2, "0");

/** The day of a moment (unix seconds) as `2026/03/01`, by this machine's clock, in every language (requirements 0§9). */
export function dayText(secs: number): string {
  const at = new Date(secs * 1000);
  return [String(at.getFullYear()).padStart(4, "0"), two(at.getMonth() + 1), two(at.getDate())].join("/");
}

/** The same with the minute, which stays on its line: `2026/03/01 14:05`. */
export function dayAndTimeText(secs: number): string {
  const at = new Date(secs * 1000);
  return `${dayText(secs)}\u00a0${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A moment (unix seconds) as people of the locale write it, to the minute, by this machine's clock. */
export function momentText(secs: number, locale: Locale): string {
  const format = new Intl.DateTimeFormat(languageTag(locale), { dateStyle: "long", timeStyle: "short" });
  return format.format(new Date(secs * 1000));
}
