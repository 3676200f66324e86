import type { SearchFragment as Search, SearchResult } from "@plumb/protocol/conversation/fragment";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { createFakeServer } from "../../../engine/testing/fake-server.ts";
import { openPage } from "../../../engine/testing/open-page.ts";
import { EngineProvider } from "../../../hooks/use-engine.tsx";
import en from "../../../i18n/dialogs.en_US.json";
import { setLocale } from "../../../i18n/i18n.ts";
import { copiedAnswer } from "../answer-text.ts";
import { FragmentView } from "./fragment-view.tsx";
import { searchPart } from "./search-part.tsx";

beforeAll(async () => {
  await setLocale("en_US");
  await searchPart.load();
});

const result = (cite_index: number, more: Partial<SearchResult> = {}): SearchResult => ({
  url: `https://site${cite_index}.example/`,
  title: "T",
  snippet: "",
  cite_index,
  site_name: `site${cite_index}`,
  site_icon: null,
  published_at: null,
  query_indexes: [0],
  ...more,
});
const search = (more: Partial<Search> = {}): Search => ({
  id: 2,
  type: "SEARCH",
  status: "WIP",
  content: null,
  queries: [],
  results: [],
  ...more,
});
const icon = "data:image/png;base64,AAAA";

async function draw(fragment: Search, running: boolean): Promise<string> {
  const page = await openPage(createFakeServer());
  const drawn = renderToStaticMarkup(
    <EngineProvider engine={page.engine}>
      <FragmentView fragment={fragment} running={running} growing={running} isLast />
    </EngineProvider>,
  );
  page.close();
  return drawn;
}

test("the card says in words what the search is at [ENG-075] [SRCH-008] [SRCH-009]", async () => {
  const queries = [{ query: "rain", status: "WIP" as const, results: [] }];
  const done = [{ query: "rain", status: "FINISHED" as const, results: [] }];
  const results = [result(1), result(2)];
  expect(await draw(search(), true)).toContain(en["search.planning"]);
  expect(await draw(search({ queries }), true)).toContain(en["search.running"]);
  expect(await draw(search({ queries: done, results }), true)).toContain("Found 2 pages, reading…");
  expect(await draw(search({ status: "FINISHED", queries: done, results }), true)).toContain(
    "Found 2 pages<",
  );
  expect(await draw(search({ status: "FINISHED", queries: done }), false)).toContain(en["search.nothing"]);
  expect(await draw(search({ status: "FAILED" }), false)).toContain(en["search.failed"]);
  expect(await draw(search({ queries }), false)).toContain(en["search.interrupted"]);
});

test("it shows up to four marks, one for each site, and opens only what was found [SRCH-010]", async () => {
  const results = [1, 2, 3, 4, 5, 6].map((index) =>
    result(index, { site_icon: index > 2 ? icon : null, ...(index === 6 ? { site_name: "site5" } : {}) }),
  );
  const drawn = await draw(search({ status: "FINISHED", results }), false);
  expect(drawn.match(/<img/g)).toHaveLength(3);
  expect(drawn.match(/<svg/g)).toHaveLength(3);
  expect(drawn).toMatch(/^<button/);
  expect(await draw(search({ status: "FINISHED" }), false)).not.toContain("<button");
});

test("a mark is a picture that came with the reply, or none", async () => {
  const outside = await draw(
    search({ results: [result(1, { site_icon: "https://spy.example/x.png" })] }),
    true,
  );
  expect(outside).not.toContain("<img");
});

test("what an answer cites is copied as a link, a number without a source not at all", () => {
  const answer = {
    id: 3,
    type: "RESPONSE" as const,
    content:
      "So [citation:1][citation: 2, 7] and 【citation:2】, not [citation:7]. ``[citation:1]`` [citation:x]",
  };
  const found = search({ results: [result(1, { url: "https://a.example/x_(y)" }), result(2)] });
  expect(copiedAnswer({ fragments: [found, answer] })).toBe(
    "So [\\[1\\]](https://a.example/x_%28y%29)[\\[2\\]](https://site2.example/) and [\\[2\\]](https://site2.example/), not. ``[citation:1]`` [citation:x]",
  );
});
