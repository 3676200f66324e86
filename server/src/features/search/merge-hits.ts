// What the queries of one reply have found, numbered: each page once, however often it was found.
import type { SearchFragment, SearchResult } from "@plumb/protocol/conversation/fragment";
import type { SearchHit } from "../../ports/search-provider.ts";

/** @param firstIndex the number of the first page that is new in this fragment
 *  @returns the fragment with these hits as what its query `queryIndex` found, pages in cite order */
export function mergeHits(
  fragment: SearchFragment,
  queryIndex: number,
  hits: readonly SearchHit[],
  firstIndex: number,
): SearchFragment {
  const known = new Map(fragment.results.map((result) => [sameAddress(result.url), result]));
  const found: SearchResult[] = [];
  for (const hit of hits) {
    const key = sameAddress(hit.url);
    const before = known.get(key);
    const result: SearchResult = before
      ? { ...before, query_indexes: [...before.query_indexes, queryIndex] }
      : newResult(hit, firstIndex + known.size, queryIndex);
    if (found.some(({ cite_index }) => cite_index === result.cite_index)) continue;
    known.set(key, result);
    found.push(result);
  }
  const queries = fragment.queries.map((query, index) =>
    index === queryIndex ? { ...query, status: "FINISHED" as const, results: found } : query,
  );
  return { ...fragment, queries, results: [...known.values()] };
}

function newResult(hit: SearchHit, citeIndex: number, queryIndex: number): SearchResult {
  return {
    cite_index: citeIndex,
    url: hit.url,
    title: hit.title,
    snippet: hit.snippet,
    site_name: hit.siteName ?? new URL(hit.url).hostname.replace(/^www\./u, ""),
    site_icon: null,
    published_at: hit.publishedAt,
    query_indexes: [queryIndex],
  };
}

/** Pages that differ only in these are the same. */
function sameAddress(url: string): string {
  return url
    .replace(/^https?:\/\/(www\.)?/u, "")
    .replace(/#.*$/u, "")
    .replace(/\/$/u, "");
}
