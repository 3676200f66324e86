import type { CookieJar } from "../engine/site/cookie-consent.ts";

const DAY_SECS = 24 * 60 * 60;

/** The cookies of this page. One that is removed may have been set for a parent of this host, too. */
export function createCookieJar(document: Document, { hostname, protocol }: Location): CookieJar {
  const secure = protocol === "https:" ? "; Secure" : "";
  const pairs = (): [string, string][] =>
    document.cookie
      .split("; ")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const at = pair.indexOf("=");
        return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
      });
  return {
    names: () => pairs().map(([name]) => name),
    read: (name) => pairs().find(([one]) => one === name)?.[1] ?? null,
    write(name, value, days) {
      document.cookie = `${name}=${value}; Path=/; Max-Age=${days * DAY_SECS}; SameSite=Lax${secure}`;
    },
    remove(name) {
      const parts = hostname.split(".");
      const parents = parts.slice(0, -1).map((_part, index) => `; Domain=${parts.slice(index).join(".")}`);
      for (const domain of ["", ...parents])
        document.cookie = `${name}=; Path=/; Max-Age=0${domain}${secure}`;
    },
  };
}
