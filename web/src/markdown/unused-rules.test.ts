import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import MarkdownItConstructor, { type MarkdownIt, type Token } from "markdown-it";
import { expect, test, vi } from "vitest";
import { unusedParts, withoutUnusedParts, withPlainFields } from "../../dev/unused-markdown-rules.ts";
import { createParser } from "./markdown-parser.ts";
import { answers } from "./testing/answers.ts";

interface Rule {
  name: string;
  enabled: boolean;
  fn: unknown;
}

type Chain = "core" | "block" | "inline";

function rulesOf(parser: MarkdownIt, chain: Chain): Rule[] {
  return (parser[chain].ruler as unknown as { __rules__: Rule[] }).__rules__;
}

const library = readFileSync(
  createRequire(import.meta.url)
    .resolve("markdown-it")
    .replace("markdown-it.cjs.js", "markdown-it.mjs"),
  "utf8",
);

test("no rule whose code the built page leaves out is ever asked", () => {
  const [ours, theirs] = [createParser(), new MarkdownItConstructor()];
  for (const { rule } of unusedParts) {
    if (rule === undefined) continue;
    const { chain, name } = rule;
    const known = rulesOf(theirs, chain).find((one) => one.name === name);
    expect(known, name).toBeDefined();
    const asked = rulesOf(ours, chain).filter(({ enabled, fn }) => enabled && fn === known?.fn);
    expect(asked, name).toEqual([]);
  }
});

test("what is left of the file reads every answer as the whole of it does", async () => {
  const read = ({ parseBlocks, parseInline }: typeof import("./markdown-parser.ts")) =>
    answers.map((text) => {
      const env = {};
      return parseBlocks(text, env).map((token) =>
        token.type === "inline" ? parseInline(token.content, env) : token,
      );
    });
  const expected = JSON.stringify(read(await import("./markdown-parser.ts")));
  const rest = withPlainFields(withoutUnusedParts(library)).replace(
    /(?<=^import .* from )"([^"]+)"/gm,
    (_all, name: string) => JSON.stringify(import.meta.resolve(name)),
  );
  vi.resetModules();
  vi.doMock(
    "markdown-it",
    () => import(`data:text/javascript,${encodeURIComponent(rest)}`) as Promise<Record<string, unknown>>,
  );
  expect((await import("markdown-it")).default).not.toHaveProperty("Token");
  expect(JSON.stringify(read(await import("./markdown-parser.ts")))).toBe(expected);
  vi.doUnmock("markdown-it");
});

test("what stands in the place of the parts leaves the file whole, and an unknown file is refused", () => {
  const rest = withoutUnusedParts(library);
  expect(library.length - rest.length).toBeGreaterThan(20_000);
  for (const { stub } of unusedParts) expect(rest).toContain(stub);
  expect(() => withoutUnusedParts("export {};")).toThrow("markdown-it has no part");
});

test("fields are set by assignments, and a file that sets them in another way is refused", async () => {
  const plain = withPlainFields(library);
  expect(plain).not.toMatch(/_defineProperty\(\s*this/);
  const source = plain.slice(
    plain.indexOf("var Token = class {"),
    plain.indexOf("//#endregion", plain.indexOf("var Token = class {")),
  );
  const own = (await import(
    `data:text/javascript,${encodeURIComponent(`${source}\nexport { Token };`)}`
  )) as {
    Token: new (type: string, tag: string, nesting: number) => Token;
  };
  expect({ ...new own.Token("text", "b", 1) }).toEqual({
    ...new MarkdownItConstructor.Token("text", "b", 1),
  });
  expect(() => withPlainFields("class {}")).toThrow("sets its fields in another way");
});
