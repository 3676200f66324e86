// What the user chose for this browser: theme, language, toggles, sidebar. Kept across reloads and sign-outs.
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";

const THEMES = ["light", "dark", "system"] as const;
const LOCALES = ["zh_CN", "en_US", "system"] as const;

export interface Preferences {
  theme: (typeof THEMES)[number];
  locale: (typeof LOCALES)[number];
  thinkingEnabled: boolean;
  searchEnabled: boolean;
  siderCollapsed: boolean;
  /** No export that was begun here is waited for, or the notice that it is there was closed. */
  exportedHistoryClosed: boolean;
  /** Where a sign-in elsewhere leads when it comes back: an agent's name, or a path of ours. */
  targetBeforeOauthLogin: string;
  /** The warning of the program around the page was closed. */
  closeUnsafeEnvWarn: boolean;
  /** By which way the last sign-in came. */
  loginMethod: "code" | "password";
}

const STORED_AS = "plumb.preferences";

const DEFAULTS: Preferences = {
  theme: "system",
  locale: "system",
  thinkingEnabled: false,
  searchEnabled: false,
  siderCollapsed: false,
  exportedHistoryClosed: true,
  targetBeforeOauthLogin: "chat",
  closeUnsafeEnvWarn: false,
  loginMethod: "code",
};

/** Takes what is stored only where it is a value we know: other versions may have written it. */
function readStored(json: string | null): Preferences {
  if (json === null) return DEFAULTS;
  let stored: unknown;
  try {
    stored = JSON.parse(json);
  } catch {
    return DEFAULTS;
  }
  if (typeof stored !== "object" || stored === null) return DEFAULTS;
  const from = stored as Record<string, unknown>;
  const oneOf = <T>(key: keyof Preferences, values: readonly T[], fallback: T): T =>
    values.find((value) => value === from[key]) ?? fallback;
  const target = from["targetBeforeOauthLogin"];
  const flag = (key: keyof Preferences): boolean => from[key] === true;
  return {
    theme: oneOf("theme", THEMES, DEFAULTS.theme),
    locale: oneOf("locale", LOCALES, DEFAULTS.locale),
    thinkingEnabled: flag("thinkingEnabled"),
    searchEnabled: flag("searchEnabled"),
    siderCollapsed: flag("siderCollapsed"),
    exportedHistoryClosed: from["exportedHistoryClosed"] !== false,
    targetBeforeOauthLogin: typeof target === "string" ? target : DEFAULTS.targetBeforeOauthLogin,
    closeUnsafeEnvWarn: flag("closeUnsafeEnvWarn"),
    loginMethod: oneOf("loginMethod", ["code", "password"], DEFAULTS.loginMethod),
  };
}

/** How the tabs of a browser look. */
export type Look = Pick<Preferences, "theme" | "locale">;

export const isLook = ({ theme, locale }: Readonly<Record<string, unknown>>): boolean =>
  THEMES.some((one) => one === theme) && LOCALES.some((one) => one === locale);

/** `onLook`: the theme or the language was chosen. */
export function createPreferences(browser: Browser, onLook: (look: Look) => void = () => {}) {
  const read = (): Preferences => readStored(browser.storage.get(STORED_AS));
  const store = createStore<Preferences>(read);

  /** Changes and stores; search and deep thinking exclude each other (wire-contract.md §11.2), the newer choice wins. */
  function change(wanted: Partial<Preferences>): void {
    const extra: Partial<Preferences> = {};
    if (wanted.searchEnabled === true) extra.thinkingEnabled = false;
    else if (wanted.thinkingEnabled === true) extra.searchEnabled = false;
    const changed = { ...extra, ...wanted };
    store.setState(changed);
    // What another tab has stored since this one began stays.
    browser.storage.set(STORED_AS, JSON.stringify({ ...read(), ...changed }));
    const { theme, locale } = store.getState();
    if (wanted.theme !== undefined || wanted.locale !== undefined) onLook({ theme, locale });
  }

  /** Takes the theme and the language that another tab has stored. */
  function followLook(): void {
    const { theme, locale } = read();
    store.setState({ theme, locale });
  }

  /** Another tab has chosen and stored this: what it stored besides stays as it is. */
  const adopt = (chosen: Partial<Preferences>): void => store.setState(chosen);

  /** The account leaves: where it wanted to go may be one of its chats. */
  function clear(): void {
    const { targetBeforeOauthLogin } = DEFAULTS;
    if (store.getState().targetBeforeOauthLogin !== targetBeforeOauthLogin)
      change({ targetBeforeOauthLogin });
  }

  return { store, change, adopt, followLook, clear };
}
