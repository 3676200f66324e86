// Brave Search API: GET /res/v1/web/search with X-Subscription-Token. A query has at most 400 characters and 50 words.
import type { SearchProvider } from "../../ports/search-provider.ts";
import { ProviderClient } from "./provider-call.ts";
import { fitQuery, type QueryLanguage, queryLanguage } from "./query-language.ts";
import { at, readHits, textOfHtml } from "./read-hits.ts";

const DEFAULT_URL = "https://api.search.brave.com/res/v1/web/search";
const QUERY_CHARS = 400;
const QUERY_WORDS = 50;
const MOST = 20;

/** Their own codes of languages. */
const languages: Readonly<Record<QueryLanguage, string>> = { zh: "zh-hans", ja: "jp", ko: "ko", ru: "ru" };

/** @param baseUrl the whole address of the call; null = Brave's own */
export function createBraveSearch(
  { baseUrl, apiKey }: { baseUrl: string | null; apiKey: string },
  client = new ProviderClient(),
): SearchProvider {
  return {
    async search(query, count, signal) {
      const url = new URL(baseUrl ?? DEFAULT_URL);
      url.searchParams.set("q", fitQuery(query, QUERY_CHARS, QUERY_WORDS));
      url.searchParams.set("count", String(Math.min(count, MOST)));
      url.searchParams.set("text_decorations", "false");
      const language = queryLanguage(query);
      if (language !== null) url.searchParams.set("search_lang", languages[language]);
      const headers = { "x-subscription-token": apiKey };
      // 422: the token is none, or a parameter is not taken.
      const answer = await client.ask({ url, headers, failures: { 422: "refused" } }, signal);
      // Without a hit there is no part "web".
      const results = at(answer, "type") === "search" ? (at(answer, "web", "results") ?? []) : undefined;
      return readHits(results, count, (result) => ({
        url: at(result, "url"),
        title: textOfHtml(at(result, "title")),
        snippet: textOfHtml(at(result, "description")),
        siteName: at(result, "profile", "name"),
        published: at(result, "page_age"),
        iconUrl: at(result, "meta_url", "favicon"),
      }));
    },
    close: () => client.close(),
  };
}
