// One page that was found, fetched and read: 1 MB and 5 s, whatever it is.
import type { GuardedFetch } from "../../platform/http/guarded-fetch.ts";
import type { ArticleText } from "./article-text.ts";
import type { PageThread } from "./page-thread.ts";

const PAGE_BYTES = 1024 * 1024;
const PAGE_MS = 5000;
/** Code units of text that are kept of a page: no budget has room for more. */
const PAGE_CHARS = 40_000;
const ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.8";
const readable = /^\s*(text\/html|application\/xhtml\+xml|text\/plain)\b/iu;

/** The text is "" for a page that cannot be had or read. Throws only the reason of `signal`. */
export async function readPage(
  { fetchOutside, thread }: { fetchOutside: GuardedFetch; thread: Pick<PageThread, "read"> },
  url: string,
  signal: AbortSignal,
): Promise<ArticleText> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PAGE_MS)]);
  try {
    const limits = { bytes: PAGE_BYTES, longer: "cut", ms: PAGE_MS, accept: ACCEPT } as const;
    const { status, contentType, body } = await fetchOutside(url, limits, limit);
    if (status !== 200 || !readable.test(contentType)) return { text: "", publishedAt: null };
    const read = await thread.read({ bytes: body, contentType, most: PAGE_CHARS }, limit);
    // A stop is no page without words: what was not read is read when the reply goes on.
    signal.throwIfAborted();
    return read;
  } catch {
    signal.throwIfAborted();
    return { text: "", publishedAt: null };
  }
}
