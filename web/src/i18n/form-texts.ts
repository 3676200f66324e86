// The texts of the pages that are one form, which a chat does without.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./forms.zh_CN.json") : import("./forms.en_US.json");

/** Resolves when `translate` knows them. */
export function loadFormTexts(): Promise<void> {
  return addTexts(load);
}
