// The kinds of settings: each reads one text, or names what is allowed.
import { isIP } from "node:net";
import type { Locale } from "@plumb/protocol/rules/edition-rules";

export interface Setting<T> {
  readonly name: string;
  /** As .env.example shows it; "" = unset by default. */
  readonly fallback: string;
  /** One line for .env.example. */
  readonly about: string;
  /** Ends the sentence "NAME must be …". */
  readonly allowed: string;
  /** Never printed. */
  readonly secret: boolean;
  /** `text` is the given value, trimmed, or undefined. Returns `invalid` for what is not allowed. */
  read(text: string | undefined): T | typeof invalid;
}

export const invalid = Symbol("invalid");

interface About {
  about: string;
  secret?: boolean;
}

/** An absent or empty value means the fallback; anything else is parsed. */
function withFallback<T>(
  name: string,
  fallback: string,
  unset: T,
  allowed: string,
  { about, secret = false }: About,
  parse: (text: string) => T | typeof invalid,
): Setting<T> {
  return {
    name,
    fallback,
    about,
    allowed,
    secret,
    read: (text) => (text === undefined || text === "" ? unset : parse(text)),
  };
}

/** An integer within bounds, both included. */
export function integer(
  name: string,
  fallback: number,
  min: number,
  max: number,
  about: About,
): Setting<number> {
  return withFallback(
    name,
    String(fallback),
    fallback,
    `a whole number from ${min} to ${max}`,
    about,
    (text) => {
      const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : invalid;
    },
  );
}

/** As `integer`; null when unset. */
export function optionalInteger(
  name: string,
  min: number,
  max: number,
  about: About,
): Setting<number | null> {
  const { allowed, read } = integer(name, min, min, max, about);
  return withFallback<number | null>(name, "", null, allowed, about, read);
}

export function choice<const T extends string>(
  name: string,
  options: readonly T[],
  fallback: T,
  about: About,
): Setting<T> {
  return withFallback(
    name,
    fallback,
    fallback,
    `one of ${options.join(", ")}`,
    about,
    (text) => options.find((option) => option === text) ?? invalid,
  );
}

/** One of the options; null when unset. */
export function optionalChoice<const T extends string>(
  name: string,
  options: readonly T[],
  about: About,
): Setting<T | null> {
  return withFallback<T | null>(
    name,
    "",
    null,
    `one of ${options.join(", ")}`,
    about,
    (text) => options.find((option) => option === text) ?? invalid,
  );
}

/** Any text; null when unset. `min` characters at least. */
export function optionalText(name: string, about: About, min = 1): Setting<string | null> {
  const allowed = min === 1 ? "a text" : `at least ${min} characters long`;
  return withFallback<string | null>(name, "", null, allowed, about, (text) =>
    text.length >= min ? text : invalid,
  );
}

/** The name of an object in a page's window; null when unset. */
export function identifier(name: string, about: About): Setting<string | null> {
  const allowed = "a name of letters, digits and underscores that begins with a letter";
  return withFallback<string | null>(name, "", null, allowed, about, (text) =>
    /^[A-Za-z]\w{0,63}$/u.test(text) ? text : invalid,
  );
}

/** Schemes of links that browsers follow themselves. */
const ofBrowsers = "about blob data file filesystem ftp http https javascript mailto ws wss".split(" ");

/** The scheme of links that another program opens (RFC 3986 §3.1); null when unset. */
export function programScheme(name: string, about: About): Setting<string | null> {
  const allowed =
    "letters, digits, plus, minus and dot behind a first letter, and no scheme that browsers follow themselves";
  return withFallback<string | null>(name, "", null, allowed, about, (text) =>
    /^[A-Za-z][A-Za-z\d+.-]{0,63}$/u.test(text) && !ofBrowsers.includes(text.toLowerCase()) ? text : invalid,
  );
}

export function requiredText(name: string, fallback: string, about: About): Setting<string> {
  return withFallback(name, fallback, fallback, "a text", about, (text) => text);
}

/** An absolute address with one of the schemes, without the slash at its end; null when unset. */
export function optionalUrl(name: string, schemes: readonly string[], about: About): Setting<string | null> {
  const allowed = `an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`;
  return withFallback<string | null>(name, "", null, allowed, about, (text) =>
    isAddress(text, schemes) ? text.replace(/\/+$/u, "") : invalid,
  );
}

/** An absolute address with one of the schemes, exactly as it is given: another program compares it. */
export function exactUrl(
  name: string,
  fallback: string,
  schemes: readonly string[],
  about: About,
): Setting<string> {
  const allowed = `an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`;
  return withFallback(name, fallback, fallback, allowed, about, (text) =>
    isAddress(text, schemes) ? text : invalid,
  );
}

/** What an operator says in each language: absent = built in, null = hidden. */
export type PerLocale = Partial<Record<Locale, string | null>>;

/** One value for all languages, or `zh_CN=…|en_US=…`; an empty value hides, a language that is not named has the built-in. */
export function perLocale(name: string, kind: "url" | "email" | "text", about: About): Setting<PerLocale> {
  const what = { url: "a web address", email: "an email address", text: "a line of text" }[kind];
  return {
    name,
    fallback: "",
    about: about.about,
    allowed: `${what}, or one per language as zh_CN=…|en_US=…; empty hides it`,
    secret: about.secret === true,
    read(text) {
      if (text === undefined) return {};
      if (!/^(?:zh_CN|en_US)=/u.test(text)) {
        const value = shownValue(text, kind);
        return value === invalid ? invalid : { zh_CN: value, en_US: value };
      }
      const values: PerLocale = {};
      for (const part of text.split("|")) {
        const [, locale, given = ""] = /^\s*(zh_CN|en_US)=(.*)$/u.exec(part) ?? [];
        const value = shownValue(given.trim(), kind);
        if (locale === undefined || value === invalid || locale in values) return invalid;
        values[locale as Locale] = value;
      }
      return values;
    },
  };
}

function shownValue(text: string, kind: "url" | "email" | "text"): string | null | typeof invalid {
  if (text === "") return null;
  const fits =
    kind === "url"
      ? isAddress(text, ["https", "http"])
      : kind === "email"
        ? /^[^\s@]+@[^\s@]+$/u.test(text)
        : isPlain(text, 200);
  return fits ? text : invalid;
}

/** Items separated by commas, each of which `fits`; written in `allowed`. */
export function list(
  name: string,
  fallback: readonly string[],
  { fits, allowed }: { fits: (item: string) => boolean; allowed: string },
  about: About,
): Setting<string[]> {
  return withFallback<string[]>(name, fallback.join(","), [...fallback], allowed, about, (text) => {
    const items = text.split(",").map((item) => item.trim());
    return items.every(fits) ? items : invalid;
  });
}

/** One origin such as https://chat.example, with a slash after it or without; null when unset. */
export function optionalOrigin(name: string, about: About): Setting<string | null> {
  const allowed = "an address such as https://chat.example, with nothing after the host and its port";
  return withFallback<string | null>(name, "", null, allowed, about, (text) => {
    if (!isAddress(text, ["https", "http"])) return invalid;
    const { href, origin } = new URL(text);
    return href === `${origin}/` ? origin : invalid;
  });
}

/** Origins such as https://chat.example, separated by commas. */
export function originList(name: string, about: About): Setting<string[]> {
  const allowed = "origins such as https://chat.example, separated by commas";
  const fits = (item: string): boolean => isAddress(item, ["https", "http"]) && new URL(item).origin === item;
  return list(name, [], { fits, allowed }, about);
}

/** An IP address or a host name to listen on. Whether the machine has it shows only when listening. */
export function host(name: string, fallback: string, about: About): Setting<string> {
  return withFallback(name, fallback, fallback, "an IP address or a host name", about, (text) =>
    isIP(text) !== 0 || isHostName(text) ? text : invalid,
  );
}

/** `a@b.cd`, or with a name before it: `Name <a@b.cd>`; null when unset. */
export function mailSender(name: string, about: About): Setting<string | null> {
  const allowed = "an email address, or a name with one: Plumb <plumb@example.com>";
  return withFallback<string | null>(name, "", null, allowed, about, (text) =>
    /^(?:[^\s@<>,]+@[^\s@<>,]+|[^<>\r\n]+ <[^\s@<>,]+@[^\s@<>,]+>)$/u.test(text) ? text : invalid,
  );
}

/** Two-letter codes of countries separated by commas, or "*" for all. */
export function regions(
  name: string,
  fallback: readonly string[],
  about: About,
): Setting<readonly string[] | "*"> {
  const allowed = "two-letter codes of countries separated by commas, such as CN,HK, or *";
  return withFallback<readonly string[] | "*">(name, fallback.join(","), fallback, allowed, about, (text) => {
    if (text === "*") return "*";
    const items = text.split(",").map((item) => item.trim().toUpperCase());
    return items.every((item) => /^[A-Z]{2}$/u.test(item)) ? items : invalid;
  });
}

/** Domain names separated by commas, in lower case; none when unset. */
export function domains(name: string, about: About): Setting<readonly string[]> {
  const allowed = "domain names separated by commas, such as example.com,example.org";
  return withFallback<readonly string[]>(name, "", [], allowed, about, (text) => {
    const items = text.split(",").map((item) => item.trim().toLowerCase());
    return items.every((item) => item.includes(".") && isHostName(item)) ? items : invalid;
  });
}

/** IP addresses and networks such as 10.0.0.0/8, separated by commas. */
export function addressList(name: string, about: About): Setting<string[]> {
  const allowed = "IP addresses or networks such as 10.0.0.0/8, separated by commas";
  return withFallback<string[]>(name, "", [], allowed, about, (text) => {
    const items = text.split(",").map((item) => item.trim());
    return items.every(isNetwork) ? items : invalid;
  });
}

/** `name=number` separated by commas, or "off". */
export function limits(
  name: string,
  names: readonly string[],
  about: About,
): Setting<Record<string, number> | "off"> {
  const allowed = `off, or name=number separated by commas with the names ${names.join(", ")}`;
  return withFallback<Record<string, number> | "off">(name, "", {}, allowed, about, (text) => {
    if (text === "off") return "off";
    const numbers: Record<string, number> = {};
    for (const item of text.split(",")) {
      const match = /^\s*(\w+)\s*=\s*(\d{1,9})\s*$/u.exec(item);
      if (match?.[1] === undefined || !names.includes(match[1])) return invalid;
      numbers[match[1]] = Number(match[2]);
    }
    return numbers;
  });
}

/** `name=value` separated by commas, on top of `defaults`: true, false or a whole number, as the default is. */
export function overrides<const T extends Readonly<Record<string, boolean | number>>>(
  name: string,
  defaults: T,
  about: About,
): Setting<{ [K in keyof T]: T[K] extends boolean ? boolean : number }> {
  type Values = { [K in keyof T]: T[K] extends boolean ? boolean : number };
  const names = Object.keys(defaults);
  const allowed = `name=value separated by commas, value being true, false or a number, with the names ${names.join(", ")}`;
  return withFallback<Values>(name, "", { ...defaults } as Values, allowed, about, (text) => {
    const values: Record<string, boolean | number> = { ...defaults };
    for (const item of text.split(",")) {
      const match = /^\s*(\w+)\s*=\s*(true|false|\d{1,9})\s*$/u.exec(item);
      const [, key = "", given = ""] = match ?? [];
      const value = given === "true" || given === "false" ? given === "true" : Number(given);
      if (!names.includes(key) || typeof value !== typeof defaults[key]) return invalid;
      values[key] = value;
    }
    return values as Values;
  });
}

export interface NamedId {
  id: string;
  /** Shown to people. */
  name: string;
}

/** `id=Shown name` separated by commas, each id once; or "*". The ids of `taken` are not to be used. */
export function namedIds(
  name: string,
  { most, taken }: { most: number; taken: readonly string[] },
  about: About,
): Setting<NamedId[] | "*"> {
  const allowed = `* or id=Shown name separated by commas: at most ${most}, each id once, none of them ${taken.join(" or ")}`;
  return withFallback<NamedId[] | "*">(name, "", [], allowed, about, (text) => {
    if (text === "*") return "*";
    const items = text.split(",").map((item): NamedId => {
      const [id = "", ...shown] = item.split("=");
      return { id: id.trim(), name: shown.join("=").trim() };
    });
    const ids = new Set(items.map(({ id }) => id));
    const good = items.every(
      (item) => isPlain(item.id, 200) && isPlain(item.name, 60) && !taken.includes(item.id),
    );
    return good && ids.size === items.length && items.length <= most ? items : invalid;
  });
}

/** One line of 1 to `max` characters. */
function isPlain(text: string, max: number): boolean {
  return text !== "" && text.length <= max && !/\p{Cc}/u.test(text);
}

function isAddress(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol.replace(":", ""));
}

/** Labels of letters, digits, underscores and hyphens; the last is no number, which only a mistyped address has (RFC 1123 §2.1). */
function isHostName(text: string): boolean {
  const labels = text.replace(/\.$/u, "").split(".");
  return (
    text.length <= 253 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/iu.test(label)) &&
    !/^\d+$/u.test(labels.at(-1) ?? "")
  );
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
