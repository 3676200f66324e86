// A search provider that the test speaks for.
import { SearchError, type SearchHit, type SearchProvider } from "../src/ports/search-provider.ts";

export interface ScriptedSearch extends SearchProvider {
  /** Every query so far, in the order it was asked. */
  readonly asked: string[];
  /** What a query finds; null = it fails. */
  answer: (query: string) => readonly Partial<SearchHit>[] | null;
  /** While set, no query is answered before it resolves. */
  hold: Promise<void> | null;
}

/** Without a script, each query finds one page that is called like it. */
export function createScriptedSearch(): ScriptedSearch {
  const asked: string[] = [];
  const search: ScriptedSearch = {
    asked,
    answer: (query) => [{ url: `https://${query.replace(/\W+/gu, "-")}.com/`, title: query }],
    hold: null,
    async search(query, count, signal) {
      asked.push(query);
      if (search.hold !== null) await untilOrAborted(search.hold, signal);
      signal.throwIfAborted();
      const hits = search.answer(query);
      if (hits === null) throw new SearchError("unavailable", "scripted: no search today");
      return hits.slice(0, count).map(wholeHit);
    },
    close: async () => {},
  };
  return search;
}

function wholeHit(hit: Partial<SearchHit>): SearchHit {
  const url = hit.url ?? "https://page.com/";
  return { title: "A page", snippet: "", siteName: null, publishedAt: null, iconUrl: null, ...hit, url };
}

function untilOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    void work.then(resolve);
  });
}
