import fc from "fast-check";
import { expect, test } from "vitest";
import { copiedHtml } from "./copied-html.ts";
import { copiedText } from "./copied-text.ts";
import { createTextReader } from "./parts-of-text.ts";
import { answers } from "./testing/answers.ts";
import { englishLabels } from "./testing/english-markdown.tsx";
import type { CitedSources } from "./cited-sources.ts";
import type { Growing } from "./parse-env.ts";

const sources: CitedSources = new Map([
  [1, { url: "https://one.example/", title: "", siteName: null, date: null }],
  [2, { url: "javascript:alert(1)", title: "", siteName: null, date: null }],
]);

function parts(text: string, streaming: Growing = false) {
  return createTextReader(englishLabels).whole({ text, streaming, sources });
}

test.each([
  ["Two *words*\nand `code  x`.", "Two words\nand code x."],
  ["$a\\,b$ \\(c\\) $$d$$ \\$5", "$a\\,b$ $c$\n\n$$\nd\n$$\n\n$5"],
  ["3. a\n4. b\n   1. c\n   2. d\n5. e", "3. a\n4. b\n   1. c\n   2. d\n5. e"],
  ["1. a\n\n   b\n\n2. - c\n   - d", "1. a\n\nb\n\n2. c\nd"],
  ["- [x] a\n- [ ] b", "[x] a\n[ ] b"],
  ["|a|b|\n|-|-|\n||$c$|\n|x<br>y||", "a\tb\n\t$c$\nx y\t"],
  ["a[citation:1] b [citation:2] c [citation:3].", "a[1](https://one.example/) b c."],
  ["> [!TIP]\n> a", "Tip\n\na"],
  ["a[^x] b[^y]\n\n[^y]: why\n\n[^x]: ex", "a[1] b[2]\n\n2 why\n1 ex"],
  ["```mermaid\ngraph TD\n```\n\n```js\n\n  a\n```", "```mermaid\ngraph TD\n```\n\n\n  a"],
  ["[a]\n\n[a]: https://a.example", "a"],
  ["&amp; &lt;", "& <"],
  ["```math\nx\n```", "$$\nx\n$$"],
])("%j is copied as %j", (markdown, text) => {
  expect(copiedText(parts(markdown))).toBe(text);
});

test.each([
  ["paragraph", Array.from({ length: 1000 }, (_, index) => `line ${index}`).join("\n"), /^<p>[^]*<\/p>$/],
  [
    "list",
    Array.from({ length: 400 }, (_, index) => `${index + 3}. item`).join("\n"),
    /^<ol start="3">[^]*<\/ol>$/,
  ],
])("a %s that is drawn in several parts is copied as one", (_what, markdown, html) => {
  const copied = parts(markdown);
  expect(copiedText(copied)).toBe(markdown);
  expect(copiedHtml(copied)).toMatch(html);
  expect(copiedHtml(copied).match(/<(?:p|ol)\b/g)).toHaveLength(1);
});

test("a quotation that is drawn in several parts is copied as one", () => {
  const markdown = Array.from({ length: 1000 }, (_, index) => `> part ${index}`).join("\n>\n");
  expect(copiedHtml(parts(markdown)).match(/<blockquote/g)).toHaveLength(1);
});

test("what is copied as HTML has no more than it means, and its signs are text", () => {
  expect(copiedHtml(parts('3. a <b> & "c"\n\n# [d](https://d.example/?a&b)\n\n- e'))).toBe(
    '<ol start="3"><li>a &lt;b&gt; &amp; &quot;c&quot;</li></ol>' +
      '<h1><a href="https://d.example/?a&amp;b">d</a></h1><ul><li>e</li></ul>',
  );
});

test("any text, whole or cut, is copied without calling what only a page can call, in lines without blanks at their ends", () => {
  const signs = fc.constantFrom(
    ...'*_~`[]()!\\<>|#$^:-+123 x\n中"&',
    "\n\n",
    "$$",
    "[^1]",
    "[citation:1]",
    "    ",
    "|-|\n",
  );
  const text = fc.oneof(fc.string({ unit: signs }), fc.constantFrom(...answers));
  fc.assert(
    fc.property(text, fc.constantFrom<Growing>(true, false, "cut"), (markdown, streaming) => {
      const copied = parts(markdown, streaming);
      expect(copiedHtml(copied)).not.toContain("<div><div>");
      expect(copiedText(copied).trim().length).toBeLessThanOrEqual(4 * markdown.length + 200);
    }),
  );
});

test("a text that would take too long to parse is copied as it was written", () => {
  const text = "**a** ".repeat(300_000);
  expect(copiedText(parts(text))).toBe(text);
});
