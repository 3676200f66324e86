// Where ChatGPT's answers refer to pages: marks of several generations, which the metadata of the message explains.
import {
  isObject,
  jsonIn,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  textOf,
  timeOf,
  webAddress,
} from "./json-value.ts";
import type { SourcePage } from "./source-conversation.ts";

const MOST_REFERENCES = 500;
const PAGE_CHARS = { title: 300, snippet: 1000, site: 100 };
/** Private characters around what the page has drawn itself, and between its parts: `citeturn0search1`. */
const OWN_MARK = /\ue200([^\ue200-\ue202]{0,40})\ue202([^\ue200\ue201]{0,2000})\ue201/gu;
const OTHER_MARK = /\ue200[^\ue200\ue201]{0,2000}\ue201/gu;
const OWN_SIGNS = /[\ue200-\ue206]/gu;
const OLD_MARK = /【[^【】]{1,100}†[^【】]{0,100}】/gu;

/** The text with its marks as lists of pages; those that nothing explains are left out. */
export function answerOf(text: string, metadata: JsonObject): (string | SourcePage[])[] {
  let pieces: (string | SourcePage[])[] = [text];
  for (const { mark, stands } of referencesIn(text, metadata))
    pieces = pieces.flatMap((piece) => cutAt(piece, mark, stands));
  return pieces.map((piece) =>
    typeof piece === "string"
      ? piece
          .replace(OWN_MARK, wordsOfMark)
          .replace(OTHER_MARK, "")
          .replace(OWN_SIGNS, "")
          .replace(OLD_MARK, "")
      : piece,
  );
}

/** What stood there for people to read: the name of a thing, the words of a link. Of all else there is nothing to read. */
function wordsOfMark(_mark: string, kind: string, inside: string): string {
  const [first = "", target = ""] = inside.split("\ue202");
  if (kind === "entity") {
    const entity = jsonIn(first);
    return Array.isArray(entity) ? textOf(entity[1]) : first;
  }
  return LINK.test(kind) ? linkTo(webAddress(target), first) : "";
}

const LINK = /^(?:url|link_title)$/u;

function linkTo(address: string | null, words: string): string {
  const plain = words.replaceAll(/[[\]]/gu, "");
  return address === null ? plain : `[${plain}](<${address}>)`;
}

/** The first place of the mark: each reference tells of its own. */
function cutAt(
  piece: string | SourcePage[],
  mark: string,
  stands: string | SourcePage[],
): (string | SourcePage[])[] {
  const at = typeof piece === "string" ? piece.indexOf(mark) : -1;
  if (typeof piece !== "string" || at === -1) return [piece];
  return [piece.slice(0, at), stands, piece.slice(at + mark.length)];
}

interface Reference {
  mark: string;
  /** In its place. */
  stands: string | SourcePage[];
}

function referencesIn(text: string, metadata: JsonObject): Reference[] {
  const now = listAt(metadata, "content_references").slice(0, MOST_REFERENCES).map(referenceOf);
  const before = listAt(metadata, "citations")
    .slice(0, MOST_REFERENCES)
    .map((citation): Reference => {
      const about = isObject(citation) ? citation["metadata"] : null;
      const mark = textAt(about, "matched_text") || oldMark(text, objectAt(about, "extra"));
      return { mark, stands: pagesOf([about]) };
    });
  // A mark of one character would be found anywhere.
  return [...now, ...before].filter(({ mark, stands }) => mark.trim().length > 2 && stands.length > 0);
}

function referenceOf(reference: unknown): Reference {
  const mark = textAt(reference, "matched_text");
  const type = textAt(reference, "type");
  // Its mark has the name to be read.
  if (type === "entity") return { mark, stands: "" };
  if (LINK.test(type)) {
    const [, words = ""] = mark.replaceAll("\ue201", "").split("\ue202");
    return {
      mark,
      stands: linkTo(webAddress(textAt(reference, "url")), words || textAt(reference, "title")),
    };
  }
  const items = [...listAt(reference, "items"), ...listAt(reference, "sources")];
  return { mark, stands: pagesOf([...items, reference]) };
}

/** `【11†source】`, of which only the number is told; "" where there is none. */
function oldMark(text: string, extra: JsonObject): string {
  const cited = numberAt(extra, "cited_message_idx");
  const start = cited === null ? -1 : text.indexOf(`【${cited}†`);
  const end = start === -1 ? -1 : text.indexOf("】", start);
  return end === -1 || end - start > 200 ? "" : text.slice(start, end + 1);
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
