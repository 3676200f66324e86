// The texts of the forms with a code, which signing in by password does without.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./codes.zh_CN.json") : import("./codes.en_US.json");

/** Resolves when `translate` knows them. */
export function loadCodeTexts(): Promise<void> {
  return addTexts(load);
}
