import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { legalPage, legalPages, pathOf } from "./legal-pages.ts";

const written = (page: (typeof legalPages)[number]) =>
  legalPage(
    readFileSync(new URL(`../legal/${page.document}.${page.language}.html`, import.meta.url), "utf8"),
    page,
  );

test("each document is there for both editions and languages, and leads to the same one in the other language", () => {
  const pages = new Map(legalPages.map((page) => [pathOf(page), written(page)]));
  expect(pages.size).toBe(8);
  for (const [path, html] of pages) {
    const title = /<title>(.+)<\/title>/u.exec(html)?.[1];
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).not.toContain("data-edition");
    const other = /<a href="([^"]+)">(?:English|中文)<\/a>/u.exec(html)?.[1] ?? "";
    expect(other).not.toBe(path);
    expect(other.replace(/\.(en|zh)\.html$/u, "")).toBe(path.replace(/\.(en|zh)\.html$/u, ""));
    expect([...pages.keys()]).toContain(other);
  }
});

test("the mainland's has what its law asks for, the others do not", () => {
  const words = {
    terms: { en: "People’s Republic", zh: "中华人民共和国" },
    privacy: { en: "guardian", zh: "监护人" },
  };
  for (const page of legalPages) {
    const law = words[page.document][page.language];
    expect([pathOf(page), written(page).includes(law)]).toEqual([pathOf(page), page.edition === "mainland"]);
  }
});
