// Whether visitors may be counted (requirements 0§4, 0§9): they are asked in some regions, and their word is kept in a cookie.
import type { ClientSettings } from "@plumb/protocol/wire/site";
import { createStore } from "zustand/vanilla";
import { asksForCookies } from "./asks-for-cookies.ts";

/** The cookies of the page that its scripts can see. */
export interface CookieJar {
  names(): string[];
  read(name: string): string | null;
  write(name: string, value: string, days: number): void;
  remove(name: string): void;
}

export type CookieLevel = "all" | "essential";

const NAME = "cookie_preference";
const DAYS = 365;
/** What the counting services of the field call theirs. */
const OF_ANALYTICS =
  /^(?:_ga|_gid|_gat|_gcl|_hj|_cl(?:ck|sk)$|_pk_|_matomo|amp_|ajs_|mp_|ph_|_fbp|Hm_|HMACCOUNT|__tea|_tea|MONITOR_|s_)/i;

export function createCookieConsent(jar: CookieJar) {
  const read = (): CookieLevel | null => {
    const value = jar.read(NAME);
    return value === "all" || value === "essential" ? value : null;
  };
  const store = createStore<{ level: CookieLevel | null }>(() => ({ level: read() }));

  function forgetCounted(): void {
    for (const name of jar.names()) if (OF_ANALYTICS.test(name)) jar.remove(name);
  }
  if (store.getState().level === "essential") forgetCounted();

  return {
    store,
    choose(level: CookieLevel): void {
      jar.write(NAME, level, DAYS);
      if (level === "essential") forgetCounted();
      store.setState({ level });
    },
    /** The banner stands there: the visitor is where one is asked, and has not answered. */
    isOpen: (settings: ClientSettings | null): boolean =>
      store.getState().level === null && asksForCookies(settings),
    /** Whoever has not been asked yet is not counted where one is asked. */
    mayCount(settings: ClientSettings | null): boolean {
      const { level } = store.getState();
      return settings !== null && (level === "all" || (level === null && !asksForCookies(settings)));
    },
  };
}
