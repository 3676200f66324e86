import type { Locale } from "../engine/site/locale.ts";
import { languageTag } from "./language-tag.ts";

const LARGER = [
  ["minute", 60],
  ["hour", 60],
  ["day", 24],
] as const;

/** How far off the end of a wait of so many seconds is, as people say it: "in 40 seconds", "in 1 hour"; never too early. */
export function waitText(secs: number, locale: Locale): string {
  let amount = secs;
  let unit: Intl.RelativeTimeFormatUnit = "second";
  for (const [larger, size] of LARGER) {
    // What is not yet two of the larger one stays exact, such as 90 minutes.
    if (amount < 2 * size && amount !== size) break;
    amount = Math.ceil(amount / size);
    unit = larger;
  }
  // The long form says "秒钟" in Chinese, the short one "sec." in English.
  const style = locale === "zh_CN" ? "short" : "long";
  const words = new Intl.RelativeTimeFormat(languageTag(locale), { style }).format(amount, unit);
  // A blank on both sides of a number, as in all our Chinese texts.
  return words.replace(/ ?(\d+) ?/, " $1 ");
}
