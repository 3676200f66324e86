// Pages of the client into which a feature writes a few words of its own, for readers that run no scripts, or not yet.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { escapeHtml } from "./escape-html.ts";
import type { RequestContext } from "./request-context.ts";

type PageParts = Extract<OwnPage, { kind: "parts" }>;

export type OwnPage =
  /** The client's page. `title` is text; `head` and `noscript` are HTML; `opening` null: nothing shows before its script has run. */
  | { kind: "parts"; title: string; head: string; noscript: string; opening: Opening | null }
  /** Plain text in place of the page. */
  | { kind: "text"; pieces: AsyncIterable<string> }
  | { kind: "missing" };

/** What shows before the page's script has run. `title` null: it has none. All is text. */
export interface Opening {
  title: string | null;
  question: string;
}

/** As the build draws it (web/dev/share-opening.ts): style sheets, and HTML with places for the words. */
interface DrawnOpening {
  styles: string[];
  body: string;
  untitled: string;
}

/** What a feature says of a path; null where it is not its own. `query` is what follows the question mark. */
export type OwnPages = (
  context: RequestContext,
  request: { path: string; query: string },
) => Promise<OwnPage | null>;

/** Search engines keep none of them, and nobody else does. */
const ownHeaders = { "x-robots-tag": "noindex, nofollow", "cache-control": "no-store" };

/** The built page with the words in their places. Throws where it has no such places. */
export async function readPageWith(dist: string, parts: PageParts): Promise<string> {
  const [html, drawn] = await Promise.all([
    readFile(join(dist, "index.html"), "utf8"),
    parts.opening === null ? null : readFile(join(dist, "share-opening.json"), "utf8"),
  ]);
  const { styles, body } = openingWith(drawn, parts.opening);
  const places: [RegExp, string][] = [
    [/<title>[^<]*<\/title>/u, `<title>${escapeHtml(parts.title)}</title>${parts.head}`],
    [/(?=<\/head>)/u, styles],
    [/<noscript>.*?<\/noscript>/su, `${body}<noscript>${parts.noscript}</noscript>`],
  ];
  return places.reduce((page, [place, words]) => {
    if (!place.test(page)) throw new Error(`the page has no place like ${place.source}`);
    return page.replace(place, () => words);
  }, html);
}

function openingWith(drawn: string | null, opening: Opening | null): { styles: string; body: string } {
  if (drawn === null || opening === null) return { styles: "", body: "" };
  const { styles, body, untitled } = JSON.parse(drawn) as DrawnOpening;
  const words: Record<string, string> = {
    "{title}": opening.title === null ? untitled : escapeHtml(opening.title),
    "{question}": escapeHtml(opening.question),
  };
  return {
    styles: styles.map((href) => `<link rel="stylesheet" crossorigin href="${href}">`).join(""),
    body: body.replace(/\{(?:title|question)\}/gu, (place) => words[place] ?? ""),
  };
}

export function sendOwnText(reply: FastifyReply, pieces: AsyncIterable<string>): FastifyReply {
  return reply
    .headers({
      ...ownHeaders,
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": "sandbox; default-src 'none'",
    })
    .send(Readable.from(pieces, { objectMode: false }));
}

export function sendOwnPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers({ ...ownHeaders, "content-type": "text/html; charset=utf-8" }).send(html);
}
