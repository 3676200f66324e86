import { useMemo, useSyncExternalStore } from "react";
import type { Text } from "../engine/text.ts";
import { currentLocale, onLocaleChange, translate, type TextKey, type TextParams } from "./i18n.ts";
import type { Locale } from "../engine/site/locale.ts";
import { momentText } from "./moment-text.ts";
import { waitText } from "./wait-text.ts";

export interface Texts {
  locale: Locale;
  t: (key: TextKey, params?: TextParams) => string;
  /** A text of the engine or the server. */
  show: (text: Text) => string;
}

/** The texts in the current locale; a component that uses it renders again when the locale changes. */
export function useTexts(): Texts {
  const locale = useSyncExternalStore(onLocaleChange, currentLocale, currentLocale);
  return useMemo(
    () => ({
      locale,
      // A new function for each locale, so that what is memoised by it follows.
      t: (key, params) => translate(key, params),
      show: (text) =>
        "content" in text ? text.content : translate(text.key, withTimes(text.params ?? {}, locale)),
    }),
    [locale],
  );
}

/** The params of a text with its moments and waits in words. */
function withTimes(
  params: NonNullable<Extract<Text, { key: string }>["params"]>,
  locale: Locale,
): TextParams {
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    typeof value !== "object"
      ? value
      : "wait" in value
        ? waitText(value.wait, locale)
        : momentText(value.moment, locale),
  ]);
  return Object.fromEntries(entries) as TextParams;
}
