import type { Locale } from "../../engine/site/locale.ts";
import { dayText } from "../../i18n/moment-text.ts";
import { languageTag } from "../../i18n/language-tag.ts";

/** When a message was written, as short as it is clear: of today the time, of this year the day, else the date (both times in milliseconds). */
export function whenText(time: number, now: number, locale: Locale): string {
  const [then, today] = [new Date(time), new Date(now)];
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(languageTag(locale), options).format(then);
  if (then.toDateString() === today.toDateString()) return format({ timeStyle: "short" });
  if (then.getFullYear() === today.getFullYear()) return format({ month: "short", day: "numeric" });
  return dayText(time / 1000);
}
