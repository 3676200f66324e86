import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { CitedSourcesContext, type CitedSource } from "./cited-sources.ts";
import { EnglishMarkdown } from "./testing/english-markdown.tsx";

const sources = new Map<number, CitedSource>([
  [1, { url: "https://tides.example/a", title: "Tides", siteName: "Almanac", date: "2026/03/05" }],
  [12, { url: "https://moon.example/", title: "", siteName: null, date: null }],
  [3, { url: "javascript:alert(1)", title: '"><script>alert(1)</script>', siteName: "x", date: null }],
]);

function draw(text: string, streaming = false): string {
  return renderToStaticMarkup(
    <CitedSourcesContext value={sources}>
      <EnglishMarkdown text={text} streaming={streaming} />
    </CitedSourcesContext>,
  );
}
const links = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href, words]) => [href, words]);

describe("citations", () => {
  test("a known number leads to its page, with title, site and date for those who ask [REND-004]", () => {
    const html = draw("High water [citation:1][citation:12](there).");
    expect(links(html)).toEqual([
      ["https://tides.example/a", "1"],
      ["https://moon.example/", "12"],
    ]);
    expect(html).toContain('data-tooltip="Tides\nAlmanac · 2026/03/05" data-tooltip-side="bottom"');
    expect(html).toContain('aria-label="Source 1: Tides · Almanac · 2026/03/05"');
    expect(html).toContain('aria-label="Source 12: moon.example"');
  });

  test.each([
    "a [citation:1, 12] b",
    "a [citation:1,2,12] b",
    "a [citation: 1][Citation:12] b",
    "a [citation:1; citation:12] b",
    "a 【citation:1】【citation：12】 b",
    "a 【citation:1、12】 b",
  ])("%s is written by models, too", (text) => {
    const html = draw(text);
    expect(links(html).map(([, words]) => words)).toEqual(["1", "12"]);
    expect(html).toMatch(/>a <a [^]*<\/a> b</);
    expect(html).not.toMatch(/[[【]/);
  });

  test("an unknown number is not shown, nor the blank before it; other writings stay text", () => {
    for (const citation of ["[citation:2]", "[citation:0]", "[citation: 7, 8]", "【citation:99】"]) {
      expect(draw(`a ${citation}. b`)).toContain(">a. b<");
      expect(draw(`潮汐${citation}。`)).toContain(">潮汐。<");
    }
    for (const text of ["a [citation:x] b", "a [citation:] b", "a 【citation】 b", "a [citation:12345] b"])
      expect(draw(text)).toContain(`>${text}<`);
    expect(draw("`[citation:1]`")).toContain(">[citation:1]</code>");
  });

  test("within the words of a link a number is no second link, and stays", () => {
    const html = draw("see [the tides 【citation:1】 here](https://x.example/)");
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toMatch(/the tides <span[^>]*>1<\/span> here/);
  });

  test("a source with another kind of address has no link, and its words are never markup", () => {
    const html = draw("a [citation:3]");
    expect(links(html)).toEqual([]);
    expect(html).toMatch(/<span[^>]*>3<\/span>/);
    expect(html).not.toContain("<script");
  });

  test("while it is written nothing of it shows", () => {
    for (const citation of [
      "[citation:1]",
      "[citation: 4, 5]",
      "[Citation:1; citation:2]",
      "【citation：1、2】",
    ])
      for (let cut = 0; cut < citation.length; cut++)
        expect(draw(`High water ${citation.slice(0, cut)}`, true)).toMatch(/>High water ?</);
  });
});

describe("a bare link that is a paragraph", () => {
  const isCard = (html: string) => /<bdi[^>]*>/.test(html);

  test("is a card of host and path; nothing is loaded for it [REND-005]", () => {
    const html = draw("See\n\nhttps://tides.example:8080/high%20water/%E6%BD%AE?a=1#b\n\nthere.");
    expect(html).toMatch(
      /<bdi[^>]*>tides\.example:8080<\/bdi><bdi[^>]*>\/high%20water\/%E6%BD%AE\?a=1#b<\/bdi>/,
    );
    expect(html).not.toMatch(/<(?:img|link|iframe|object|video|script)/);
    expect(draw("https://zh.example/%E6%BD%AE%E6%B1%90")).toContain(">/潮汐<");
    expect(draw("www.tides.example")).toMatch(/<bdi[^>]*>www\.tides\.example<\/bdi><\/a>/);
    expect(isCard(draw("<https://tides.example/>"))).toBe(true);
  });

  test.each([
    "see https://tides.example",
    "https://tides.example, they say",
    "https://tides.example https://moon.example",
    "[https://tides.example](https://other.example)",
    "- https://tides.example",
    "> https://tides.example",
    "someone@tides.example",
    "`https://tides.example`",
    "javascript:alert(1)",
  ])("elsewhere it is a link or what it was: %j", (text) => {
    expect(isCard(draw(text))).toBe(false);
  });

  test("what could deceive stays written in numbers", () => {
    expect(draw("https://x.example/%E2%80%AEgpj.exe")).toContain("/%E2%80%AEgpj.exe<");
  });

  test("while it is written it is a link in the place of one line", () => {
    const html = draw("https://tides.example/very/long", true);
    expect(isCard(html)).toBe(false);
    expect(links(html)).toEqual([["https://tides.example/very/long", "https://tides.example/very/long"]]);
    expect(isCard(draw("https://tides.example/very/long\n\nNext paragraph\n\nand", true))).toBe(true);
  });
});
