// The texts of what opens over the page or beside the chat.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./dialogs.zh_CN.json") : import("./dialogs.en_US.json");

/** Resolves when `translate` knows them. */
export function loadDialogTexts(): Promise<void> {
  return addTexts(load);
}
