import { isFragment, type Fragment, type SearchResult } from "@plumb/protocol/conversation/fragment";
import { useState } from "react";
import { dayText } from "../../../i18n/moment-text.ts";
import { type CitedSource, noSources, type CitedSources } from "../../../markdown/cited-sources.ts";

/** What the searches of a reply found, by the number the answer cites it with. */
export function citedSources(found: readonly (readonly SearchResult[])[]): CitedSources {
  const sources = new Map<number, CitedSource>();
  for (const { cite_index, url, title, site_name, published_at } of found.flat())
    if (cite_index !== null && !sources.has(cite_index)) {
      const date = published_at === null ? null : dayText(published_at);
      sources.set(cite_index, { url, title, siteName: site_name, date });
    }
  return sources.size === 0 ? noSources : sources;
}

/** The sources of a reply's fragments: the same object while the searches are the same, however the answer grows. */
export function useCitedSources(fragments: readonly Fragment[]): CitedSources {
  const found = fragments.flatMap((fragment) => (isFragment(fragment, "SEARCH") ? [fragment.results] : []));
  const [known, setKnown] = useState(() => ({ found, sources: citedSources(found) }));
  const isSame =
    known.found.length === found.length && found.every((results, index) => results === known.found[index]);
  if (isSame) return known.sources;
  const next = { found, sources: citedSources(found) };
  setKnown(next);
  return next.sources;
}
