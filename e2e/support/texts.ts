// The visible texts by their keys, from the product's own locale files.
import { readdirSync, readFileSync } from "node:fs";

export type JourneyLocale = "en_US" | "zh_CN";

const folder = new URL("../../web/src/i18n/", import.meta.url);
const files = new Map<JourneyLocale, Record<string, string>>();

/** The text of a key with its parameters put in. Throws for a key that the locale does not have. */
export function textOf(
  locale: JourneyLocale,
  key: string,
  params: Record<string, string | number> = {},
): string {
  let texts = files.get(locale);
  if (texts === undefined) {
    const named = readdirSync(folder).filter((name) => name.endsWith(`${locale}.json`));
    const read = named.map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as object);
    texts = Object.assign({}, ...read) as Record<string, string>;
    files.set(locale, texts);
  }
  const text = texts[key];
  if (text === undefined) throw new Error(`${locale} has no text for ${key}.`);
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ""));
}
