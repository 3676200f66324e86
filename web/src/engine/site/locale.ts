// The language of this page: one source for the screen, the document and the header `x-client-locale`.
import { createStore } from "zustand/vanilla";
import type { Browser, Cancel } from "../browser.ts";
import type { createPreferences } from "./preferences.ts";

export type Locale = "zh_CN" | "en_US";

/** The chosen locale, or with `system` the first of the host's languages that we have texts for (requirements 0§9). */
export function resolveLocale(preference: Locale | "system", languages: readonly string[]): Locale {
  if (preference !== "system") return preference;
  for (const language of languages) {
    const base = language.toLowerCase().split("-")[0];
    if (base === "zh") return "zh_CN";
    if (base === "en") return "en_US";
  }
  return "en_US";
}

/** Follows the preference at once and, from `start` on, the languages of the host. */
export function createLocale(browser: Browser, preferences: ReturnType<typeof createPreferences>) {
  const resolve = (): Locale => resolveLocale(preferences.store.getState().locale, browser.languages());
  const store = createStore<{ locale: Locale }>(() => ({ locale: resolve() }));
  const update = (): void => {
    const locale = resolve();
    if (locale !== store.getState().locale) store.setState({ locale });
  };
  preferences.store.subscribe(update);
  let cancel: Cancel = () => {};
  return {
    store,
    current: (): Locale => store.getState().locale,
    start(): void {
      cancel = browser.onLanguages(update);
    },
    stop: (): void => cancel(),
  };
}
