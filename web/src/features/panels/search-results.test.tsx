import type { SearchResult } from "@plumb/protocol/conversation/fragment";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { setLocale } from "../../i18n/i18n.ts";
import { SearchResults } from "./search-results.tsx";

beforeAll(() => setLocale("en_US"));

const frame = { closing: false, modal: false, onClose: () => {} };
const result: SearchResult = {
  url: "https://site.example/a",
  title: "Rain <b>today</b>",
  snippet: "It rains.",
  cite_index: 3,
  site_name: "Site",
  site_icon: null,
  published_at: 1_790_000_000,
  query_indexes: [0],
};
const draw = (results: SearchResult[]) =>
  renderToStaticMarkup(<SearchResults queries={["rain", "天气"]} results={results} frame={frame} />);

test("the panel lists what was searched for and found, with number, site, date and title [SRCH-011]", () => {
  const drawn = draw([result]);
  const words = drawn.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|");
  expect(words).toContain("|rain|天气|");
  expect(words).toContain("|Site|2026/09/21|3|Rain &lt;b&gt;today&lt;/b&gt;|It rains.|");
  expect(drawn).toContain('href="https://site.example/a" target="_blank" rel="noopener noreferrer nofollow"');
});

test("an address of another kind is no link", () => {
  expect(draw([{ ...result, url: "javascript:alert(1)" }])).not.toContain("<a ");
});
