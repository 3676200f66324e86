// Pages of the client into which a feature writes a few words of its own, for readers that run no scripts, or not yet.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { gzippedText, takesGzip } from "./compressed-body.ts";
import { escapeHtml } from "./escape-html.ts";
import type { InlineParts } from "./page-policy.ts";
import { firstOf, type RequestContext } from "./request-context.ts";

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

/** As the build makes it (web/dev/share-opening.ts). */
interface OpeningPage {
  /** The whole page, with places for the words. */
  page: string;
  /** HTML for the place of a title where there is none. */
  untitled: string;
  allowed: InlineParts;
}

/** What a feature says of a path; null where it is not its own. `query` is what follows the question mark. */
export type OwnPages = (
  context: RequestContext,
  request: { path: string; query: string },
) => Promise<OwnPage | null>;

/** Search engines keep none of them, and nobody else does. */
const ownHeaders = { "x-robots-tag": "noindex, nofollow", "cache-control": "no-store" };

/**
 * The built page with the words in their places, and what stands in it itself; null: nothing does. Throws where it has no such
 * places.
 */
export async function readPageWith(
  dist: string,
  parts: PageParts,
): Promise<{ html: string; inline: InlineParts | null }> {
  const { html, inline } = await builtPage(dist, parts.opening);
  const places: [RegExp, string][] = [
    [/<title>[^<]*<\/title>/u, `<title>${escapeHtml(parts.title)}</title>${parts.head}`],
    [/<noscript>.*?<\/noscript>/su, `<noscript>${parts.noscript}</noscript>`],
  ];
  const filled = places.reduce((page, [place, words]) => {
    if (!place.test(page)) throw new Error(`the page has no place like ${place.source}`);
    return page.replace(place, () => words);
  }, html);
  return { html: filled, inline };
}

async function builtPage(
  dist: string,
  opening: Opening | null,
): Promise<{ html: string; inline: InlineParts | null }> {
  if (opening === null) return { html: await readFile(join(dist, "index.html"), "utf8"), inline: null };
  const drawn = JSON.parse(await readFile(join(dist, "share-opening.json"), "utf8")) as OpeningPage;
  const words: Record<string, string> = {
    "{title}": opening.title === null ? drawn.untitled : escapeHtml(opening.title),
    "{question}": escapeHtml(opening.question),
  };
  const html = drawn.page.replace(/\{(?:title|question)\}/gu, (place) => words[place] ?? "");
  return { html, inline: drawn.allowed };
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

/** Such a page stands for several files, so that it is worth it on a slow line. */
export async function sendOwnPage(
  reply: FastifyReply,
  html: string,
  { headers }: Pick<RequestContext, "headers">,
): Promise<FastifyReply> {
  reply.headers({ ...ownHeaders, "content-type": "text/html; charset=utf-8" });
  if (!takesGzip(firstOf(headers["accept-encoding"]))) return reply.send(html);
  return reply.header("content-encoding", "gzip").send(await gzippedText(html));
}
