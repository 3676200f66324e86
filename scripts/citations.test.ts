// Comments cite only what the project has: its documents, sections of the wire contract, statements by their source.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { inProject } from "./paths.mjs";
import { readRequirements } from "./spec-coverage.mjs";

const folders = ["protocol", "server", "web", "e2e", "bench", "scripts", "docs"];
const left = new Set(["node_modules", "dist", "public"]);

function filesBelow(folder: string): string[] {
  return readdirSync(inProject(...folder.split("/")), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return left.has(entry.name) ? [] : filesBelow(path);
    return [path];
  });
}

const files = [...folders.flatMap(filesBelow), "ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];
const sources = files.filter(
  (file) => /\.(ts|tsx|mjs|css)$/.test(file) && file !== "scripts/citations.test.ts",
);
const text = (file: string) => readFileSync(inProject(...file.split("/")), "utf8");

/** Every match of the pattern's group in the sources, as "file: match". */
function cited(pattern: RegExp): { file: string; what: string }[] {
  return sources.flatMap((file) =>
    [...text(file).matchAll(pattern)].map((match) => ({ file, what: match[1] ?? "" })),
  );
}

describe("citations in comments", () => {
  it("name documents that are there", () => {
    const documents = new Set(files.filter((file) => file.endsWith(".md")).map((file) => basename(file)));
    const found = cited(/(?:\/\/|\*).*?\b([\w-]+\.md)\b/g);
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ what }) => !documents.has(what))).toEqual([]);
  });

  it("name sections that the wire contract has", () => {
    const headings = text("docs/wire-contract.md").matchAll(/^#{2,3} (\d+(?:\.\d+)?)\b/gm);
    const sections = new Set([...headings].map((match) => match[1]));
    const found = cited(/wire-contract\.md §(\d+(?:\.\d+)?)/g);
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ what }) => !sections.has(what))).toEqual([]);
  });

  it("name statements by sources that the requirements have", () => {
    const known = new Set(readRequirements(text("docs/requirements.tsv")).map(({ source }) => source));
    const found = cited(/requirements ([01]§\d+)/g);
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(({ what }) => !known.has(what))).toEqual([]);
  });
});

describe("paths in the documents", () => {
  const short = (path: string) => `/${path}`.replace("/src/", "/");
  const known = files.map(short);
  it.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])(
    "%s names files that are there",
    (document) => {
      const matches = text(document).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|tsv))`/g);
      // The rule that there is none names it.
      const named = [...matches].map((match) => match[1] ?? "").filter((path) => path !== "index.ts");
      expect(named.filter((path) => !known.some((file) => file.endsWith(short(path))))).toEqual([]);
    },
  );
});
