// The texts about files, which few chats need.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./files.zh_CN.json") : import("./files.en_US.json");

/** Resolves when `translate` knows them. */
export function loadFileTexts(): Promise<void> {
  return addTexts(load);
}
