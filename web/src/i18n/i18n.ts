// The texts of the screen. Our own few lines: the library weighed for it costs 15 KB gzip of the 130 that sign-in may load.
import type accountEn from "./account.en_US.json";
import type captchaEn from "./captcha.en_US.json";
import type codesEn from "./codes.en_US.json";
import type dialogsEn from "./dialogs.en_US.json";
import type en from "./en_US.json";
import type filesEn from "./files.en_US.json";
import type formsEn from "./forms.en_US.json";
import { fillText } from "./fill-text.ts";
import type { Locale } from "../engine/site/locale.ts";
import type noticesEn from "./notices.en_US.json";
import type personasEn from "./personas.en_US.json";
import type sharingEn from "./sharing.en_US.json";
import { languageTag } from "./language-tag.ts";

type Plural<K> = K extends `${infer Base}_one` ? Base : never;
type Keys =
  | keyof typeof en
  | keyof typeof accountEn
  | keyof typeof captchaEn
  | keyof typeof codesEn
  | keyof typeof dialogsEn
  | keyof typeof filesEn
  | keyof typeof formsEn
  | keyof typeof noticesEn
  | keyof typeof personasEn
  | keyof typeof sharingEn;
/** Every key of the locale files; one that counts is named without its `_one` and `_other`. */
export type TextKey = Exclude<Keys, `${string}_one` | `${string}_other`> | Plural<Keys>;
export type TextParams = Record<string, string | number>;

interface LoadedTexts {
  locale: Locale;
  /** How many parts they are of. */
  parts: number;
  texts: Readonly<Record<string, string>>;
  plurals: Intl.PluralRules;
}

/** The texts of a part of the page, which come with it. */
export type LoadTexts = (locale: Locale) => Promise<{ default: Readonly<Record<string, string>> }>;

/** Those whose texts have come once, and those that were asked for. */
const parts = new Set<LoadTexts>();
const asked = new Map<LoadTexts, Promise<void>>();
const loaded = new Map<Locale, LoadedTexts>();
const listeners = new Set<() => void>();
let current: LoadedTexts = { locale: "en_US", parts: 0, texts: {}, plurals: new Intl.PluralRules("en-US") };
let wanted: Locale = "en_US";

async function loadTexts(locale: Locale): Promise<LoadedTexts> {
  const { size } = parts;
  const files = await Promise.all([
    locale === "zh_CN" ? import("./zh_CN.json") : import("./en_US.json"),
    ...[...parts].map((load) => load(locale)),
  ]);
  const texts: Record<string, string> = Object.assign({}, ...files.map((file) => file.default));
  return { locale, parts: size, texts, plurals: new Intl.PluralRules(languageTag(locale)) };
}

/** Adds the texts of a part of the page, in every locale from now on. Rejects when they cannot be had. */
export function addTexts(load: LoadTexts): Promise<void> {
  const known = asked.get(load);
  if (known !== undefined) return known;
  const adding = (async () => {
    await load(wanted);
    parts.add(load);
    await setLocale(wanted);
  })();
  asked.set(load, adding);
  adding.catch(() => asked.delete(load));
  return adding;
}

/** Makes `translate` speak `locale`, loading its texts when they are not here yet. Of several wishes the last holds. */
export async function setLocale(locale: Locale): Promise<void> {
  wanted = locale;
  let texts = loaded.get(locale);
  // A part may have come meanwhile.
  while (texts?.parts !== parts.size) texts = await loadTexts(locale);
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
