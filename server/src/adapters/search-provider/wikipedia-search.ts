// Wikipedia: the search of MediaWiki (action=query, list=search), in the encyclopedia of the query's language. No key.
import { SearchError, type SearchProvider } from "../../ports/search-provider.ts";
import { ProviderClient } from "./provider-call.ts";
import { queryLanguage } from "./query-language.ts";
import { at, readHits, textOfHtml } from "./read-hits.ts";

/** Of a query, in UTF-8: MediaWiki refuses more. */
const QUERY_BYTES = 300;
const MOST = 50;

/** @param baseUrl another wiki; null = the Wikipedia of the query's language */
export function createWikipediaSearch(
  { baseUrl }: { baseUrl: string | null },
  client = new ProviderClient(),
): SearchProvider {
  return {
    async search(query, count, signal) {
      const site = baseUrl ?? `https://${queryLanguage(query) ?? "en"}.wikipedia.org`;
      const url = new URL("/w/api.php", site);
      const parameters = {
        action: "query",
        list: "search",
        format: "json",
        formatversion: "2",
        srsearch: fitBytes(query.trim()),
        srlimit: String(Math.min(count, MOST)),
        srprop: "snippet|timestamp",
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      const answer = await client.ask({ url }, signal);
      // Refusals come with the status 200.
      const code = at(answer, "error", "code");
      if (code !== undefined) throw refusal(code);
      return readHits(at(answer, "query", "search"), count, (result) => ({
        url: pageAddress(site, at(result, "title")),
        title: at(result, "title"),
        snippet: textOfHtml(at(result, "snippet")),
        siteName: baseUrl === null ? "Wikipedia" : null,
        published: at(result, "timestamp"),
      }));
    },
    close: () => client.close(),
  };
}

function pageAddress(site: string, title: unknown): unknown {
  if (typeof title !== "string" || title === "") return undefined;
  return new URL(`/wiki/${encodeURIComponent(title.replaceAll(" ", "_"))}`, site).href;
}

function refusal(code: unknown): SearchError {
  const busy = code === "ratelimited" || code === "maxlag";
  return new SearchError(busy ? "rate_limited" : "refused", "Wikipedia refused the search.");
}

function fitBytes(text: string): string {
  let fitting = "";
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > QUERY_BYTES) break;
    fitting += character;
  }
  return fitting;
}
