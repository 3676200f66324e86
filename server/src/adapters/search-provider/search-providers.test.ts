// Each provider against a stand-in that speaks its real interface.
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { SearchError } from "../../ports/search-provider.ts";
import { createBraveSearch } from "./brave-search.ts";
import type { ProviderClient } from "./provider-call.ts";
import { readHits, textOfHtml } from "./read-hits.ts";
import { type KnownPage, searchProviderContract } from "./search-provider-contract.ts";
import { createSearxngSearch } from "./searxng-search.ts";
import { createTavilySearch } from "./tavily-search.ts";
import { createWikipediaSearch } from "./wikipedia-search.ts";

const parameters = (request: IncomingMessage) => new URL(request.url ?? "", "http://stand.in").searchParams;
const seconds = (iso: string | null) => (iso === null ? null : Date.parse(iso) / 1000);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("“", "&#8220;");

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`the call has no ${what}`);
}

searchProviderContract("SearXNG", {
  create: (base, client) => createSearxngSearch({ baseUrl: `${base}/searx/`, apiKey: null }, client),
  readQuery(request) {
    must(request.url?.startsWith("/searx/search?") === true, "path of the instance");
    must(parameters(request).get("format") === "json", "format=json");
    return parameters(request).get("q") ?? "";
  },
  answer: (query, pages) => ({
    query,
    number_of_results: 0,
    results: pages.map(({ url, title, snippet, published }) => ({
      url,
      title,
      content: snippet,
      publishedDate: published?.replace("Z", "") ?? null,
      engine: "duckduckgo",
      parsed_url: ["https", "x", "/", "", "", ""],
      template: "default.html",
      engines: ["duckduckgo"],
      positions: [1],
      score: 1,
      category: "general",
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  }),
  found: ({ url, title, snippet, published }) => ({ url, title, snippet, publishedAt: seconds(published) }),
  // The format json is not allowed there.
  refusals: { 403: "refused" },
});

searchProviderContract("Brave", {
  create: (base, client) =>
    createBraveSearch({ baseUrl: `${base}/res/v1/web/search`, apiKey: "BSA-key" }, client),
  readQuery(request) {
    must(request.headers["x-subscription-token"] === "BSA-key", "token");
    must(request.headers["accept"] === "application/json", "Accept");
    must(Number(parameters(request).get("count")) <= 20, "count that is taken");
    const query = parameters(request).get("q") ?? "";
    must(query.split(/\s+/u).length <= 50, "query of at most 50 words");
    return query;
  },
  answer: (query, pages) => ({
    type: "search",
    query: { original: query, more_results_available: true },
    mixed: { type: "mixed" },
    ...(pages.length === 0
      ? {}
      : {
          web: {
            type: "search",
            results: pages.map(({ url, title, snippet, published }) => ({
              type: "search_result",
              title,
              url,
              description: `<strong>${escaped(snippet)}</strong>`,
              ...(published === null ? {} : { page_age: published.replace("Z", ""), age: "1 week ago" }),
              profile: {
                name: "Wikipedia",
                long_name: "en.wikipedia.org",
                url,
                img: "https://imgs.search.brave.com/x",
              },
              meta_url: {
                scheme: "https",
                netloc: "en.wikipedia.org",
                favicon: "https://imgs.search.brave.com/icon",
              },
              language: "en",
            })),
          },
        }),
  }),
  found: ({ url, title, snippet, published }) => ({
    url,
    title,
    snippet,
    publishedAt: seconds(published),
    siteName: "Wikipedia",
    iconUrl: "https://imgs.search.brave.com/icon",
  }),
  refusals: { 422: "refused" },
});

searchProviderContract("Tavily", {
  create: (base, client) => createTavilySearch({ baseUrl: `${base}/search`, apiKey: "tvly-key" }, client),
  readQuery(request, body) {
    must(request.method === "POST" && request.headers["content-type"] === "application/json", "JSON body");
    must(request.headers["authorization"] === "Bearer tvly-key", "key");
    const asked = JSON.parse(body) as { query: string; max_results: number };
    must(asked.max_results <= 20, "number of results that is taken");
    return asked.query;
  },
  answer: (query, pages) => ({
    query,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: pages.map(({ url, title, snippet, published }) => ({
      url,
      title,
      content: snippet,
      score: 0.9,
      raw_content: null,
      favicon: "https://en.wikipedia.org/favicon.ico",
      ...(published === null ? {} : { published_date: published }),
    })),
    response_time: 1.1,
    request_id: "1",
  }),
  found: ({ url, title, snippet, published }) => ({
    url,
    title,
    snippet,
    publishedAt: seconds(published),
    iconUrl: "https://en.wikipedia.org/favicon.ico",
  }),
  refusals: { 400: "refused", 432: "rate_limited", 433: "rate_limited" },
});

searchProviderContract("Wikipedia", {
  create: (base, client) => createWikipediaSearch({ baseUrl: base }, client),
  readQuery(request) {
    const given = parameters(request);
    must(request.url?.startsWith("/w/api.php?") === true, "path of the API");
    must(given.get("action") === "query" && given.get("list") === "search", "search");
    must(given.get("format") === "json" && given.get("formatversion") === "2", "format");
    must(request.headers["user-agent"] !== undefined, "User-Agent, which Wikipedia asks for");
    const query = given.get("srsearch") ?? "";
    must(Buffer.byteLength(query) <= 300, "query of at most 300 bytes");
    return query;
  },
  // It finds titles: a page that is elsewhere cannot be among them.
  answer: (_query, pages: readonly KnownPage[]) => ({
    batchcomplete: true,
    query: {
      searchinfo: { totalhits: pages.length },
      search: pages
        .filter(({ title }) => title !== "")
        .map(({ title, snippet, published }, index) => ({
          ns: 0,
          title,
          pageid: index + 1,
          snippet: `<span class="searchmatch">${escaped(snippet)}</span>`,
          ...(published === null ? {} : { timestamp: published }),
        })),
    },
  }),
  found: ({ title, snippet, published }) => ({ title, snippet, publishedAt: seconds(published) }),
  refusals: {},
});

describe("search providers", () => {
  const saying = (answer: unknown) =>
    ({ ask: async () => answer, close: async () => {} }) as unknown as ProviderClient;
  const never = new AbortController().signal;

  it("SearXNG has failed when none of its engines answered", async () => {
    const client = saying({ results: [], unresponsive_engines: [["google", "CAPTCHA"]] });
    const search = createSearxngSearch({ baseUrl: "http://searx.lan", apiKey: null }, client);
    await expect(search.search("x", 5, never)).rejects.toMatchObject({ failure: "unavailable" });
  });

  it.each([
    ["ratelimited", "rate_limited"],
    ["cirrussearch-too-busy-error", "refused"],
  ])("Wikipedia refuses with 200 and %s", async (code, failure) => {
    const search = createWikipediaSearch({ baseUrl: null }, saying({ error: { code, info: "no" } }));
    await expect(search.search("x", 5, never)).rejects.toMatchObject({ failure });
  });

  it("Wikipedia is asked in the language of the query", async () => {
    const hosts: string[] = [];
    const client = {
      ask: async ({ url }: { url: URL }) => {
        hosts.push(url.host);
        return { query: { search: [] } };
      },
    } as unknown as ProviderClient;
    const search = createWikipediaSearch({ baseUrl: null }, client);
    for (const query of ["rain", "上海天气", "東京の天気", "서울 날씨", "погода"])
      await search.search(query, 5, never);
    expect(hosts.map((host) => host.split(".")[0])).toEqual(["en", "zh", "ja", "ko", "ru"]);
  });

  it("an instance of SearXNG behind a proxy gets the key", async () => {
    let sent: unknown;
    const client = {
      ask: async (request: { headers: unknown }) => {
        sent = request.headers;
        return { results: [] };
      },
    } as unknown as ProviderClient;
    await createSearxngSearch({ baseUrl: "http://searx.lan/search", apiKey: "k" }, client).search(
      "x",
      5,
      never,
    );
    expect(sent).toEqual({ authorization: "Bearer k" });
  });

  it("read HTML as text, whatever it holds", () => {
    expect(textOfHtml('A <b class="x">bold</b> &lt;claim&gt; &#x27;so&#39; &unknown; &#99999999;')).toBe(
      "A bold <claim> 'so' &unknown; &#99999999;",
    );
    expect(textOfHtml(5)).toBe(5);
  });

  it("take no answer without a list", () => {
    expect(() => readHits({}, 5, () => ({ url: "", title: "", snippet: "" }))).toThrow(SearchError);
  });
});
