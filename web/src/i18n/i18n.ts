// The texts of the screen. Our own few lines: the library weighed for it costs 15 KB gzip of the 130 that sign-in may load.
import type en from "./en_US.json";
import type filesEn from "./files.en_US.json";
import { fillText } from "./fill-text.ts";
import type { Locale } from "../engine/site/locale.ts";
import { languageTag } from "./language-tag.ts";

type Plural<K> = K extends `${infer Base}_one` ? Base : never;
type Keys = keyof typeof en | keyof typeof filesEn;
/** Every key of the locale files; one that counts is named without its `_one` and `_other`. */
export type TextKey = Exclude<Keys, `${string}_one` | `${string}_other`> | Plural<Keys>;
export type TextParams = Record<string, string | number>;

interface LoadedTexts {
  locale: Locale;
  texts: Readonly<Record<string, string>>;
  plurals: Intl.PluralRules;
}

const loaded = new Map<Locale, LoadedTexts>();
const listeners = new Set<() => void>();
let current: LoadedTexts = { locale: "en_US", texts: {}, plurals: new Intl.PluralRules("en-US") };
let wanted: Locale = "en_US";

async function loadTexts(locale: Locale): Promise<LoadedTexts> {
  const file = locale === "zh_CN" ? await import("./zh_CN.json") : await import("./en_US.json");
  return { locale, texts: file.default, plurals: new Intl.PluralRules(languageTag(locale)) };
}

/** Makes `translate` speak `locale`, loading its texts when they are not here yet. Of several wishes the last holds. */
export async function setLocale(locale: Locale): Promise<void> {
  wanted = locale;
  const texts = loaded.get(locale) ?? (await loadTexts(locale));
  loaded.set(locale, texts);
  if (wanted !== locale || current === texts) return;
  current = texts;
  for (const listener of listeners) listener();
}

/** The text of a key in the current locale; an unknown key gives itself. */
export function translate(key: string, params?: TextParams): string {
  return fillText(current.texts, current.plurals, key, params);
}

/** The current locale. */
export function currentLocale(): Locale {
  return current.locale;
}

/** Tells when the locale changed; gives back the way to stop. */
export function onLocaleChange(run: () => void): () => void {
  listeners.add(run);
  return () => listeners.delete(run);
}
