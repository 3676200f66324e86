// Who looks something up in the web. Adapters: SearXNG, Brave, Tavily, Wikipedia.

/** One page that was found. All texts are plain ones of one line, without markup. */
export interface SearchHit {
  /** http or https, at most 2,000 characters. */
  url: string;
  /** At most 300 characters; the host where the provider tells none. */
  title: string;
  /** What the provider shows of the page, at most 1,000 characters; may be "". */
  snippet: string;
  /** As the site calls itself; null where the provider does not tell. At most 100 characters. */
  siteName: string | null;
  /** Unix seconds; null where the provider does not tell. */
  publishedAt: number | null;
  /** Where a mark of the site may be had, http or https; null where the provider does not tell. */
  iconUrl: string | null;
}

/** `refused`: the key or the settings are wrong. `protocol`: it answered something else than results. */
export type SearchFailure = "unavailable" | "rate_limited" | "refused" | "timeout" | "protocol";

/** The one error of a search, besides the reason of its own signal. Its message holds neither key nor query. */
export class SearchError extends Error {
  readonly failure: SearchFailure;
  constructor(failure: SearchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SearchError";
    this.failure = failure;
  }
}

/**
 * Promises: at most `count` pages in the provider's order, no address twice; an answer within 8 s or a SearchError;
 * nothing of an answer above 2 MiB is held; what an answer says that is no result is left out.
 */
export interface SearchProvider {
  /** Aborting `signal` ends the call and rejects with the signal's reason. `query` is cut to what the provider takes. */
  search(query: string, count: number, signal: AbortSignal): Promise<SearchHit[]>;
  close(): Promise<void>;
}
