// The texts about personas, which few chats need.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./personas.zh_CN.json") : import("./personas.en_US.json");

/** Resolves when `translate` knows them. */
export function loadPersonaTexts(): Promise<void> {
  return addTexts(load);
}
