// Pages of the client into which a feature writes a few words of its own, for readers that run no scripts.
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { escapeHtml } from "./escape-html.ts";
import type { RequestContext } from "./request-context.ts";

export type OwnPage =
  /** The client's page. `title` is text; `head` and `noscript` are HTML. */
  | { kind: "parts"; title: string; head: string; noscript: string }
  /** Plain text in place of the page. */
  | { kind: "text"; pieces: AsyncIterable<string> }
  | { kind: "missing" };

/** What a feature says of a path; null where it is not its own. `query` is what follows the question mark. */
export type OwnPages = (
  context: RequestContext,
  request: { path: string; query: string },
) => Promise<OwnPage | null>;

/** Search engines keep none of them, and nobody else does. */
const ownHeaders = { "x-robots-tag": "noindex, nofollow", "cache-control": "no-store" };

/** The page with the words in their places. Throws where the page has no such places. */
export function pageWith(html: string, parts: Extract<OwnPage, { kind: "parts" }>): string {
  const title = `<title>${escapeHtml(parts.title)}</title>${parts.head}`;
  const [titled, done] = [/<title>[^<]*<\/title>/u, /<noscript>.*?<\/noscript>/su];
  if (!titled.test(html) || !done.test(html))
    throw new Error("the page has no title, or no word for readers without scripts");
  return html.replace(titled, () => title).replace(done, () => `<noscript>${parts.noscript}</noscript>`);
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
