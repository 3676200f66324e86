// What a provider sends → hits as the port promises them. Nothing is believed: a field of another kind is none.
import { SearchError, type SearchHit } from "../../ports/search-provider.ts";

const URL_CHARS = 2000;
const TITLE_CHARS = 300;
const SNIPPET_CHARS = 1000;
const SITE_CHARS = 100;

/** One result as a provider names its fields. */
export interface RawHit {
  url: unknown;
  title: unknown;
  snippet: unknown;
  siteName?: unknown;
  /** A date in ISO 8601, with or without a time; without a zone it is UTC. */
  published?: unknown;
  iconUrl?: unknown;
}

/** The value under a path of keys; undefined where there is none. */
export function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/** Throws SearchError where `results` is no list. */
export function readHits(results: unknown, count: number, read: (result: unknown) => RawHit): SearchHit[] {
  if (!Array.isArray(results))
    throw new SearchError("protocol", "The search provider answered without a list of results.");
  const hits = new Map<string, SearchHit>();
  for (const result of results) {
    if (hits.size === count) break;
    const hit = readHit(read(result));
    if (hit !== null && !hits.has(hit.url)) hits.set(hit.url, hit);
  }
  return [...hits.values()];
}

function readHit(raw: RawHit): SearchHit | null {
  const url = webAddress(raw.url);
  if (url === null) return null;
  const siteName = line(raw.siteName, SITE_CHARS);
  return {
    url,
    title: line(raw.title, TITLE_CHARS) || new URL(url).hostname,
    snippet: line(raw.snippet, SNIPPET_CHARS),
    siteName: siteName === "" ? null : siteName,
    publishedAt: seconds(raw.published),
    iconUrl: webAddress(raw.iconUrl),
  };
}

function webAddress(value: unknown): string | null {
  const url = typeof value === "string" && value.length <= URL_CHARS ? URL.parse(value) : null;
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "")
    return null;
  return url.href.length <= URL_CHARS ? url.href : null;
}

/** One line of plain text without half characters; "" for what is no text. */
function line(value: unknown, most: number): string {
  if (typeof value !== "string") return "";
  // Far more than is kept, so that a long text costs little.
  const text = value
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.replace(/[\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069]/gu, "");
}

function seconds(value: unknown): number | null {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/u.test(value)) return null;
  const zoned = /T.*(Z|[+-]\d{2}:?\d{2})$/u.test(value) || !value.includes("T") ? value : `${value}Z`;
  const ms = Date.parse(zoned);
  return Number.isFinite(ms) && ms > 0 ? Math.floor(ms / 1000) : null;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The text of a piece of HTML in which providers mark what was found. */
export function textOfHtml(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .slice(0, SNIPPET_CHARS * 8)
    .replace(/<[^<>]*>/gu, "")
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/giu, (whole, name: string) => {
      if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
      const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
