import type { Locale } from "../engine/site/locale.ts";
import { languageTag } from "./language-tag.ts";

/** A large number as people of the locale say it: "5 million", "500万". */
export function tokenCountText(count: number, locale: Locale): string {
  return new Intl.NumberFormat(languageTag(locale), { notation: "compact", compactDisplay: "long" }).format(
    count,
  );
}
