// Conversations as documents: names that lead nowhere, branches in order, and texts that swallow nothing of what follows.
import type { Message } from "../conversation/message.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchOrder, versionsOf } from "./branch-order.ts";
import { enclosed, folded, linkTarget, plainLine, quoted, quotedLines } from "./enclosed-markdown.ts";
import { documentTexts } from "./document-texts.ts";
import { messageBody, messageHeading } from "./message-markdown.ts";
import { safeName } from "./safe-name.ts";

const en = documentTexts("en_US");

describe("names", () => {
  it.each([
    ["../../etc/passwd", "etc passwd"],
    ["..\\..\\windows", "windows"],
    ["C:\\con", "C con"],
    ["a\r\nContent-Type: text/html", "a Content-Type text html"],
    ["safe\u202egnp.exe", "safe gnp.exe"],
    ["a\0b\u200b\ufeffc", "a b c"],
    ["...", "untitled"],
    ["  ", "untitled"],
    ["", "untitled"],
    [".hidden.", "hidden"],
    ['<b>*?|"', "b"],
    ["\ud800x", "x"],
    ["你好，世界 🌍", "你好，世界 🌍"],
    ["مرحبا بالعالم", "مرحبا بالعالم"],
    ["Trip of the 👨‍👩‍👧‍👦", "Trip of the 👨‍👩‍👧‍👦"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["x\u200d.exe\u200d", "x .exe"],
    [`${"a".repeat(110)}👨‍👩‍👧‍👦`, "a".repeat(110)],
  ])("%j is %j", (title, name) => {
    expect(safeName(title, "untitled")).toBe(name);
  });

  it("are one part of a path that any system takes, whatever the title is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (title) => {
        const name = safeName(title, "untitled");
        const joined = name.replace(/(?<=[^\s.])[\u200C\u200D](?=[^\s.])/gu, "");
        expect(joined).toMatch(/^[^/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}]+$/u);
        expect(name).not.toMatch(/^[.\s]|[.\s]$/u);
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120);
      }),
    );
  });
});

describe("branches", () => {
  const node = (message_id: number, parent_id: number | null) => ({ message_id, parent_id });
  it("come after the one that is shown, from where they leave it", () => {
    const nodes = [
      node(1, null),
      node(2, 1),
      node(3, 1),
      node(4, 3),
      node(5, 2),
      node(6, null),
      node(7, 5),
      node(8, 2),
    ];
    expect(branchOrder(nodes, 4)).toEqual([
      { after: null, ids: [1, 3, 4] },
      { after: 1, ids: [2, 8] },
      { after: 2, ids: [5, 7] },
      { after: null, ids: [6] },
    ]);
    expect(versionsOf(nodes).get(3)).toEqual({ version: 2, of: 2 });
    expect(versionsOf(nodes).get(4)).toBeUndefined();
  });

  it("have every message once, also of a broken tree", () => {
    const trees = fc.array(fc.option(fc.integer({ min: 1, max: 12 })), { maxLength: 12 });
    fc.assert(
      fc.property(trees, fc.option(fc.integer({ min: 0, max: 13 })), (parents, current) => {
        const nodes = parents.map((parent, index) => node(index + 1, parent));
        const ids = branchOrder(nodes, current).flatMap((branch) => branch.ids);
        expect(ids.toSorted((a, b) => a - b)).toEqual(nodes.map(({ message_id: id }) => id));
      }),
    );
  });
});

describe("texts", () => {
  it.each([
    "# A heading\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "```js\nconst a = 1;\n```\nand\n~~~\n```\n~~~",
    "````md\n```js\n1\n```\n````",
    "$$\nx^2\n$$",
    "1. one\n2. two\n   - three",
  ])("that end what they begin stand as they are: %j", (text) => {
    expect(enclosed(text)).toBe(text);
  });

  it.each([
    "```js\nconst a = 1;",
    "~~~\n```",
    "````\n```",
    "```\n``` not the end",
    "- a\n  ```\n  x\n\ntext\n```\ncode\n```",
    "> ```\n> open",
    "1. ```sh\n   ls",
    "<!-- never closed",
    "  <pre>open",
    "<?php",
    "<![CDATA[",
    "<script>",
    "$$\nx^2",
    "    ```\n",
  ])("that may not are quoted, which ends all of it: %j", (text) => {
    expect(enclosed(text)).toBe(quoted(text.trim()));
    for (const line of enclosed(text).split("\n")) expect(line).toMatch(/^>/u);
  });

  it("of people keep what looks like a tag or a sign, and code as it is", () => {
    const text =
      "Why is <Foo bar> empty, and `<b>` not? 1 < 2 &amp; 3 <https://a.example>\n```html\n<i>&lt;</i>\n```\n``` <b> `` </b>";
    expect(quotedLines(text)).toBe(
      [
        "> Why is \\<Foo bar> empty, and `<b>` not? 1 < 2 \\&amp; 3 \\<https://a.example>  ",
        "> ```html  ",
        "> <i>&lt;</i>  ",
        "> ```  ",
        "> ``` \\<b> `` \\</b>  ",
      ].join("\n"),
    );
    const long = "`".repeat(100_000) + "`a".repeat(100_000) + "<b>";
    expect(quotedLines(long).endsWith("\\<b>  ")).toBe(true);
  });

  it.each([
    ["2*3*4 and __init__ and *args, **kwargs", "2\\*3\\*4 and \\_\\_init\\_\\_ and \\*args, \\*\\*kwargs"],
    ["2 * 3 and snake_case and `a*b*c` and ~~old~~", "2 * 3 and snake_case and `a*b*c` and \\~\\~old\\~\\~"],
    ["[docs](https://a.example/b_c) [x][y] [z] a[0]", "[docs\\](https://a.example/b_c) [x\\][y] [z] a[0]"],
    ["see https://a.example/_b_/c", "see <https://a.example/_b_/c>"],
    ["[note]: not a definition", "[note\\]: not a definition"],
    ["\\*as typed\\* in C:\\dir\\_x", "\\\\\\*as typed\\\\\\* in C:\\dir\\\\\\_x"],
    ["a *_* face", "a \\*\\_\\* face"],
    ["# no heading", "\\# no heading"],
    ["#include #2", "#include #2"],
    ["* an item", "* an item"],
    ["- - -", "\\- - -"],
  ])("of people lose no sign to Markdown: %j", (text, written) => {
    expect(quotedLines(text)).toBe(`> ${written}  `);
  });

  it("of people make no heading of the line before, and what is indented as code stays", () => {
    expect(quotedLines("a\n===\nb\n---\n\n    x = a*b*c\n    y\nz*a*\n    b*c*")).toBe(
      "> a  \n> \\===  \n> b  \n> \\---  \n>\n>     x = a*b*c  \n>     y  \n> z\\*a\\*  \n>     b\\*c\\*  ",
    );
  });

  it.each(["*", "_", "~", "]", "\\", "[", "* ", "*a", "_a ", "](", "- ", "#", "https://", "&a", "<"])(
    "of people take no longer per character of many: %j",
    (sign) => {
      const began = performance.now();
      for (const text of [
        sign.repeat(200_000),
        `${sign.repeat(200_000)}\``,
        `${sign.repeat(200_000)} x \``,
      ]) {
        expect(quotedLines(text).length).toBeGreaterThan(200_000);
        expect(enclosed(text).length).toBeGreaterThan(199_000);
      }
      expect(performance.now() - began).toBeLessThan(2000);
    },
  );

  it("of one line have no markup, and links lead to the web alone", () => {
    expect(plainLine("a\n# [b](c) *d* `e` <f> | $g$")).toBe(
      "a \\# \\[b\\](c) \\*d\\* \\`e\\` \\<f\\> \\| \\$g\\$",
    );
    expect(linkTarget("javascript:alert(1)")).toBeNull();
    expect(linkTarget("https://a.example/<b> c")).toBe("<https://a.example/%3Cb%3E%20c>");
  });

  it("that would end their fold are not folded", () => {
    expect(folded("Thoughts", "a\n</Details>\nb")).toBe("> **Thoughts**\n>\n> a\n> </Details>\n> b");
  });

  it("of a message read well: thoughts, words, sources, files, what was thought of it", () => {
    const message = {
      message_id: 2,
      role: "ASSISTANT",
      status: "INCOMPLETE",
      inserted_at: 1_767_225_600,
      model: "large",
      fragments: [
        {
          id: 1,
          type: "SEARCH",
          status: "FINISHED",
          content: null,
          queries: [],
          results: [
            { url: "https://a.example", title: "A [b]", site_name: "Site", cite_index: 1 },
            { url: "javascript:x", title: "", site_name: null, cite_index: 2 },
          ],
        },
        { id: 2, type: "THINK", content: "First\n```\nopen", elapsed_secs: 3 },
        { id: 3, type: "RESPONSE", content: "Answer [citation:1], and `[citation:1]` [citation:2]" },
        { id: 4, type: "OF TOMORROW" },
      ],
      files: [{ file_name: "a_b.txt" }],
      feedback: { feedback_type: "GOOD", feedback_tag: null, description: "yes" },
    } as unknown as Message;
    expect(messageHeading(message, { version: 2, of: 3 }, en)).toBe(
      "## 2 · Assistant\n\n*2026-01-01 00:00 UTC · large · version 2 of 3*",
    );
    expect(messageBody(message, en)).toBe(
      [
        "**Sources**\n\n1. [A \\[b\\]](<https://a.example>) — Site\n2. javascript:x",
        "<details>\n<summary>Thought for 3 s</summary>\n\n> First\n> ```\n> open\n\n</details>",
        "Answer [\\[1\\]](https://a.example), and `[citation:1]`",
        "**Files**\n\n- a\\_b.txt",
        "*This reply was not finished.*",
        "*Rated good · yes*",
      ].join("\n\n"),
    );
  });
});
