// The texts of the screen. Our own few lines: the library weighed for it costs 15 KB gzip of the 130 that sign-in may load.
import type accountEn from "./account.en_US.json";
import type dialogsEn from "./dialogs.en_US.json";
import type en from "./en_US.json";
import type filesEn from "./files.en_US.json";
import type formsEn from "./forms.en_US.json";
import { fillText } from "./fill-text.ts";
import type { Locale } from "../engine/site/locale.ts";
import type personasEn from "./personas.en_US.json";
import type sharingEn from "./sharing.en_US.json";
import { languageTag } from "./language-tag.ts";

type Plural<K> = K extends `${infer Base}_one` ? Base : never;
type Keys =
  | keyof typeof en
  | keyof typeof accountEn
  | keyof typeof dialogsEn
  | keyof typeof filesEn
  | keyof typeof formsEn
  | keyof typeof personasEn
  | keyof typeof sharingEn;
/** Every key of the locale files; one that counts is named without its `_one` and `_other`. */
export type TextKey = Exclude<Keys, `${string}_one` | `${string}_other`> | Plural<Keys>;
export type TextParams = Record<string, string | number>;

interface LoadedTexts {
  locale: Locale;
  texts: Readonly<Record<string, string>>;
  plurals: Intl.PluralRules;
}

/** The texts of a part of the page, which come with it. */
export type LoadTexts = (locale: Locale) => Promise<{ default: Readonly<Record<string, string>> }>;

const parts = new Set<LoadTexts>();
const loaded = new Map<Locale, LoadedTexts>();
const listeners = new Set<() => void>();
let current: LoadedTexts = { locale: "en_US", texts: {}, plurals: new Intl.PluralRules("en-US") };
let wanted: Locale = "en_US";

async function loadTexts(locale: Locale): Promise<LoadedTexts> {
  const files = await Promise.all([
    locale === "zh_CN" ? import("./zh_CN.json") : import("./en_US.json"),
    ...[...parts].map((load) => load(locale)),
  ]);
  const texts: Record<string, string> = Object.assign({}, ...files.map((file) => file.default));
  return { locale, texts, plurals: new Intl.PluralRules(languageTag(locale)) };
}

/** Adds the texts of a part of the page, in every locale from now on. Rejects when they cannot be had. */
export async function addTexts(load: LoadTexts): Promise<void> {
  if (parts.has(load)) return;
  await load(wanted);
  parts.add(load);
  loaded.clear();
  await setLocale(wanted);
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
