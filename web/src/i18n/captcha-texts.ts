// The texts of the captcha, which most pages never show.
import { addTexts } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";

const load = (locale: Locale) =>
  locale === "zh_CN" ? import("./captcha.zh_CN.json") : import("./captcha.en_US.json");

/** Resolves when `translate` knows them. */
export function loadCaptchaTexts(): Promise<void> {
  return addTexts(load);
}
