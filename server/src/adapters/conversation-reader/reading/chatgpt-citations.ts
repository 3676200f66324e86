// Where ChatGPT's answers refer to pages: marks of several generations, which the metadata of the message explains.
import { isObject, type JsonObject, listAt, numberAt, textAt, timeOf, webAddress } from "./json-value.ts";
import type { SourcePage } from "./source-conversation.ts";

const MOST_REFERENCES = 500;
const PAGE_CHARS = { title: 300, snippet: 1000, site: 100 };
/** Private characters around what the page has drawn itself: `citeturn0search1`. */
const OWN_MARK = /\ue200[^\ue200\ue201]{0,2000}\ue201/gu;
const OLD_MARK = /【[^【】]{1,100}†[^【】]{0,100}】/gu;

/** The text with its marks as lists of pages; those that nothing explains are left out. */
export function answerOf(text: string, metadata: JsonObject): (string | SourcePage[])[] {
  let pieces: (string | SourcePage[])[] = [text];
  for (const { mark, pages } of referencesIn(metadata))
    pieces = pieces.flatMap((piece) => cutAt(piece, mark, pages));
  return pieces.map((piece) =>
    typeof piece === "string" ? piece.replace(OWN_MARK, "").replace(OLD_MARK, "") : piece,
  );
}

/** The first place of the mark: each reference tells of its own. */
function cutAt(piece: string | SourcePage[], mark: string, pages: SourcePage[]): (string | SourcePage[])[] {
  const at = typeof piece === "string" ? piece.indexOf(mark) : -1;
  if (typeof piece !== "string" || at === -1) return [piece];
  return [piece.slice(0, at), pages, piece.slice(at + mark.length)];
}

interface Reference {
  mark: string;
  pages: SourcePage[];
}

function referencesIn(metadata: JsonObject): Reference[] {
  const now = listAt(metadata, "content_references")
    .slice(0, MOST_REFERENCES)
    .map((reference): Reference => {
      const items = [...listAt(reference, "items"), ...listAt(reference, "sources")];
      return { mark: textAt(reference, "matched_text"), pages: pagesOf([...items, reference]) };
    });
  const before = listAt(metadata, "citations")
    .slice(0, MOST_REFERENCES)
    .map((citation): Reference => {
      const about = isObject(citation) ? citation["metadata"] : null;
      const extra = isObject(about) && isObject(about["extra"]) ? about["extra"] : {};
      const cited = numberAt(extra, "cited_message_idx");
      const mark =
        textAt(citation, "citation_format_type") === "tether_og" && cited !== null ? `【${cited}†` : "";
      return { mark: textAt(about, "matched_text") || mark, pages: pagesOf([about]) };
    });
  // A mark of one character would be found anywhere.
  return [...now, ...before].filter(({ mark, pages }) => mark.trim().length > 2 && pages.length > 0);
}

/** The pages that a search has found. */
export function pagesIn(metadata: JsonObject): SourcePage[] {
  const groups = listAt(metadata, "search_result_groups").slice(0, MOST_REFERENCES);
  return pagesOf(groups.flatMap((group) => listAt(group, "entries")).slice(0, MOST_REFERENCES));
}

function pagesOf(found: readonly unknown[]): SourcePage[] {
  return found.flatMap((page) => {
    const url = isObject(page) ? webAddress(page["url"]) : null;
    if (url === null) return [];
    const publishedAt = timeOf(numberAt(page, "pub_date"), Date.now());
    return [
      {
        url,
        title: textAt(page, "title").slice(0, PAGE_CHARS.title).toWellFormed(),
        snippet: (textAt(page, "snippet") || textAt(page, "text"))
          .slice(0, PAGE_CHARS.snippet)
          .toWellFormed(),
        site_name: textAt(page, "attribution").slice(0, PAGE_CHARS.site).toWellFormed() || null,
        published_at: publishedAt === null ? null : Math.floor(publishedAt / 1000),
      },
    ];
  });
}
