// Tavily: POST /search with a bearer key. 432 and 433 say that the plan is used up.
import type { SearchProvider } from "../../ports/search-provider.ts";
import { ProviderClient } from "./provider-call.ts";
import { fitQuery } from "./query-language.ts";
import { at, readHits } from "./read-hits.ts";

const DEFAULT_URL = "https://api.tavily.com/search";
const QUERY_CHARS = 400;
const MOST = 20;

/** @param baseUrl the whole address of the call; null = Tavily's own */
export function createTavilySearch(
  { baseUrl, apiKey }: { baseUrl: string | null; apiKey: string },
  client = new ProviderClient(),
): SearchProvider {
  return {
    async search(query, count, signal) {
      const answer = await client.ask(
        {
          url: new URL(baseUrl ?? DEFAULT_URL),
          headers: { authorization: `Bearer ${apiKey}` },
          body: {
            query: fitQuery(query, QUERY_CHARS),
            max_results: Math.min(count, MOST),
            search_depth: "basic",
            include_answer: false,
            include_raw_content: false,
            include_favicon: true,
          },
          failures: { 400: "refused", 432: "rate_limited", 433: "rate_limited" },
        },
        signal,
      );
      return readHits(at(answer, "results"), count, (result) => ({
        url: at(result, "url"),
        title: at(result, "title"),
        snippet: at(result, "content"),
        published: at(result, "published_date"),
        iconUrl: at(result, "favicon"),
      }));
    },
    close: () => client.close(),
  };
}
