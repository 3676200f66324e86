// SearXNG, self-hosted: GET /search?format=json. The format must be allowed in its settings.yml (search.formats), or it
// answers 403.
import { SearchError, type SearchProvider } from "../../ports/search-provider.ts";
import { ProviderClient } from "./provider-call.ts";
import { fitQuery, queryLanguage } from "./query-language.ts";
import { at, readHits } from "./read-hits.ts";

const QUERY_CHARS = 400;

/** @param baseUrl SEARCH_URL: the instance, with or without /search */
export function createSearxngSearch(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string | null },
  client = new ProviderClient(),
): SearchProvider {
  const address = new URL(baseUrl);
  if (!address.pathname.endsWith("/search"))
    address.pathname = `${address.pathname.replace(/\/+$/u, "")}/search`;
  return {
    async search(query, count, signal) {
      const url = new URL(address);
      url.searchParams.set("q", fitQuery(query, QUERY_CHARS));
      url.searchParams.set("format", "json");
      const language = queryLanguage(query);
      if (language !== null) url.searchParams.set("language", language);
      // Some instances stand behind a proxy that asks for a key.
      const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
      const answer = await client.ask({ url, headers }, signal);
      const results = at(answer, "results");
      const silent = at(answer, "unresponsive_engines");
      // Nothing found because nobody was asked is no result.
      if (Array.isArray(results) && results.length === 0 && Array.isArray(silent) && silent.length > 0)
        throw new SearchError("unavailable", "None of the engines of the SearXNG instance answered.");
      return readHits(results, count, (result) => ({
        url: at(result, "url"),
        title: at(result, "title"),
        snippet: at(result, "content"),
        published: at(result, "publishedDate"),
      }));
    },
    close: () => client.close(),
  };
}
