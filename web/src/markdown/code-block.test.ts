import { describe, expect, test } from "vitest";
import { codeFileName, shortHash } from "./code-file-name.ts";
import { colouredChunks, withLongEnds, withoutLongEnds } from "./coloured-chunks.ts";
import { findLanguage } from "./highlight-languages.ts";
import { textLanguage } from "./text-language.ts";

describe("codeFileName", () => {
  test("is the date and six hex digits of the first 2000 characters [REND-010]", () => {
    const date = new Date(2026, 1, 3);
    expect(codeFileName("Python", "print()", date)).toMatch(/^20260203-[0-9a-f]{6}\.py$/);
    expect(codeFileName("constructor", "x", date)).toMatch(/\.txt$/);
    const long = "a".repeat(2000);
    expect(shortHash(`${long}b`)).toBe(shortHash(`${long}c`));
    expect(shortHash(`${long.slice(1)}b`)).not.toBe(shortHash(`${long.slice(1)}c`));
  });
});

describe("colouredChunks", () => {
  test("cuts runs where the code is cut and keeps every character", () => {
    const markup =
      '<span class="hljs-keyword">if</span> (a &lt; <span class="hljs-string">&quot;b\nc&quot;</span>)\n';
    const chunks = ['if (a < "b\n', 'c")\n'];
    expect(colouredChunks(markup, chunks)).toEqual([
      [
        ["keyword", "if"],
        ["", " (a < "],
        ["string", '"b\n'],
      ],
      [
        ["string", 'c"'],
        ["", ")\n"],
      ],
    ]);
  });
});

describe("long lines", () => {
  test("are coloured up to 2,000 characters and keep every character", () => {
    const code = `${"a".repeat(5000)}\nb\n${"c".repeat(2500)}`;
    const short = withoutLongEnds(code);
    expect(short.split("\n").map((line) => line.length)).toEqual([2000, 1, 2000]);
    const runs = withLongEnds([["keyword", short]], code);
    expect(runs.map(([, text]) => text).join("")).toBe(code);
    expect(runs.map(([scope, text]) => [scope, text.length])).toEqual([
      ["keyword", 2000],
      ["", 3001],
      ["keyword", 1],
      ["", 1],
      ["keyword", 2000],
      ["", 500],
    ]);
  });

  test("code in very many runs keeps its ink from a point on", () => {
    const code = "ab".repeat(5000);
    const runs = withLongEnds(
      code.split("").map((letter) => [letter, letter] as const),
      code,
    );
    expect(runs.length).toBeLessThan(1600);
    expect(runs.map(([, text]) => text).join("")).toBe(code);
  });
});

describe("findLanguage", () => {
  test("knows names and aliases, and no inherited names", () => {
    expect(findLanguage("ts")?.name).toBe("typescript");
    expect(findLanguage("go")?.name).toBe("go");
    expect(findLanguage("constructor")).toBeNull();
    expect(findLanguage("__proto__")).toBeNull();
  });
});

describe("textLanguage", () => {
  test.each([
    ["这是一个句子 with words", "zh"],
    ["これは日本語です", "ja"],
    ["한국어 문장", "ko"],
    ["An English sentence with one 字", undefined],
    ["123", undefined],
  ])("%j is %j", (text, lang) => {
    expect(textLanguage(text)).toBe(lang);
  });
});
