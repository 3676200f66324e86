// The texts of sharing: of the dialog and the list of links, and of the page of a share.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./sharing.zh_CN.json") : import("./sharing.en_US.json");

/** Resolves when `translate` knows them. */
export function loadSharingTexts(): Promise<void> {
  return addTexts(load);
}
