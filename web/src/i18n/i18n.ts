import { createInstance } from "i18next";
import type en from "./en_US.json";
import { languageTag, type Locale } from "./locale.ts";

type Plural<K> = K extends `${infer Base}_one` ? Base : never;
type Keys = keyof typeof en;
/** Every key of the locale files; one that counts is named without its `_one` and `_other`. */
export type TextKey = Exclude<Keys, `${string}_one` | `${string}_other`> | Plural<Keys>;
export type TextParams = Record<string, string | number>;

const i18n = createInstance();

async function loadTexts(locale: Locale): Promise<Record<string, string>> {
  return locale === "zh_CN" ? (await import("./zh_CN.json")).default : (await import("./en_US.json")).default;
}

/** Makes `translate` speak `locale`, loading its texts when they are not here yet. */
export async function setLocale(locale: Locale): Promise<void> {
  const language = languageTag(locale);
  if (!i18n.isInitialized) {
    await i18n.init({
      lng: language,
      fallbackLng: false,
      keySeparator: false,
      nsSeparator: false,
      interpolation: { escapeValue: false },
      resources: { [language]: { translation: await loadTexts(locale) } },
    });
    return;
  }
  if (!i18n.hasResourceBundle(language, "translation"))
    i18n.addResourceBundle(language, "translation", await loadTexts(locale));
  await i18n.changeLanguage(language);
}

/** The text of a key in the current locale; an unknown key gives itself. */
export function translate(key: string, params?: TextParams): string {
  return i18n.t(key, params ?? {});
}

/** The current locale. */
export function currentLocale(): Locale {
  return i18n.language === "zh-CN" ? "zh_CN" : "en_US";
}

/** Tells when the locale changed; gives back the way to stop. */
export function onLocaleChange(run: () => void): () => void {
  i18n.on("languageChanged", run);
  return () => i18n.off("languageChanged", run);
}
