// The words of a page as a reader sees them: its main part where one is found, one line for each block, no scripts, no
// menus. Runs in a thread of its own: what a page holds can take any time and memory.
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

/** What is needed of a node; the server knows no DOM. */
interface PageNode {
  nodeType: number;
  nodeName: string;
  nodeValue: string | null;
  lastChild: PageNode | null;
  previousSibling: PageNode | null;
}

export interface ArticleText {
  text: string;
  /** Unix seconds, as the page tells it; null when it does not. */
  publishedAt: number | null;
}

/** The parser adds no tags that a page left out. */
const hasBody = /<html[\s>][^]*<body[\s>]/iu;
/** No article has more. */
const MOST_ELEMENTS = 30_000;
const skipped = new Set([
  "SCRIPT",
  "STYLE",
  "NOSCRIPT",
  "TEMPLATE",
  "SVG",
  "IFRAME",
  "NAV",
  "FOOTER",
  "FORM",
  "HEAD",
]);
const inline = new Set(
  "A ABBR B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q RUBY S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR".split(
    " ",
  ),
);

/** @param most code units of text that are kept */
export function articleText(html: string, most: number): ArticleText {
  const { document } = parseHTML(
    hasBody.test(html) ? html : `<html><head></head><body>${html}</body></html>`,
  );
  const body = document.body as unknown as PageNode | null;
  // Readability changes the document: what it leaves is no page any more.
  const article = new Readability(document.cloneNode(true) as never, {
    maxElemsToParse: MOST_ELEMENTS,
    serializer: (node) => node as unknown as PageNode,
  }).parse();
  const main = article?.content ?? null;
  let text = main === null ? "" : blockText(main, most);
  if (text.length < LEAST_ARTICLE_CHARS && body !== null) text = longer(text, blockText(body, most));
  return { text, publishedAt: secondsOf(article?.publishedTime) };
}

/** Less is no article, but a part that was taken for one. */
const LEAST_ARTICLE_CHARS = 200;

const longer = (one: string, other: string): string => (other.length > one.length ? other : one);

function secondsOf(published: string | null | undefined): number | null {
  const ms = Date.parse(published ?? "");
  return Number.isFinite(ms) && ms > 0 ? Math.floor(ms / 1000) : null;
}

const TEXT_NODE = 3;
const ELEMENT_NODE = 1;

/** Without recursion: pages nest as deep as they like. */
function blockText(root: PageNode, most: number): string {
  let text = "";
  const left: (PageNode | "line")[] = [root];
  while (left.length > 0 && text.length < most * 2) {
    const node = left.pop();
    if (node === undefined) break;
    if (node === "line") text += "\n";
    else if (node.nodeType === TEXT_NODE) text += (node.nodeValue ?? "").replace(/\s+/gu, " ");
    else if (node.nodeType === ELEMENT_NODE && !skipped.has(node.nodeName.toUpperCase())) {
      const name = node.nodeName.toUpperCase();
      if (name === "BR") text += "\n";
      if (name === "TD" || name === "TH") text += " | ";
      const isBlock = !inline.has(name) && name !== "TD" && name !== "TH";
      if (isBlock) {
        text += "\n";
        left.push("line");
      }
      for (let child = node.lastChild; child !== null; child = child.previousSibling) left.push(child);
    }
  }
  return text
    .replace(/[^\S\n]+/gu, " ")
    .replace(/ ?\n[\n ]*/gu, "\n")
    .trim()
    .slice(0, most);
}
