// The texts of what lies over every page, signed in or not.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./notices.zh_CN.json") : import("./notices.en_US.json");

/** Resolves when `translate` knows them. */
export function loadNoticeTexts(): Promise<void> {
  return addTexts(load);
}
