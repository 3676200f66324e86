// The texts of what people do with their own account.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./account.zh_CN.json") : import("./account.en_US.json");

/** Resolves when `translate` knows them. */
export function loadAccountTexts(): Promise<void> {
  return addTexts(load);
}
