import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, expect, test, vi } from "vitest";
import { CitedSourcesContext, type CitedSources } from "./cited-sources.ts";
import { copiedHtml } from "./copied-html.ts";
import { copiedText } from "./copied-text.ts";
import { partsOfPage } from "./parts-of-page.ts";
import type { Growing } from "./parse-env.ts";
import { createTextReader } from "./parts-of-text.ts";
import { answers } from "./testing/answers.ts";
import { EnglishMarkdown, englishLabels } from "./testing/english-markdown.tsx";
import { selectedIn } from "./testing/selected-page.ts";

afterAll(() => {
  vi.unstubAllGlobals();
});

const sources: CitedSources = new Map([
  [1, { url: "https://one.example/", title: "", siteName: null, date: null }],
]);

function undrawn(text: string, streaming: Growing) {
  return createTextReader(englishLabels).whole({ text, streaming, sources });
}

function drawn(text: string, streaming: Growing) {
  vi.unstubAllGlobals();
  const html = renderToStaticMarkup(
    <CitedSourcesContext value={sources}>
      <EnglishMarkdown text={text} streaming={streaming} />
    </CitedSourcesContext>,
  );
  const ends = (sign: string) => `<button>${sign}</button>`;
  const [range] = selectedIn(
    `<div data-message-id="2"><article>${ends("«")}${html}${ends("»")}</article></div>`,
  );
  return (range && partsOfPage(range, createTextReader(englishLabels))) ?? [];
}

const line = fc.constantFrom(
  ..."- a|  - b|1. c|   2. d|> q|> - e|```js|x  y|```|$$|x^2|a[^1]|[^1]: note|    more|### h|> [!NOTE]|> w $z$".split(
    "|",
  ),
  ..."a[citation:1] [citation:2]|![p](https://a.example/p.png)|- [x] done|---|`c`<br>x|مرحبا|1. مرحبا|中文 字|```mermaid|```math".split(
    "|",
  ),
  "| a | b |\n|-|-|\n|c|",
  "- ```\n  code\n  ```",
  "",
);
const some = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));

test("what is drawn is copied as what is not drawn yet", () => {
  const text = fc.oneof(some, fc.constantFrom(...answers));
  fc.assert(
    fc.property(text, fc.constantFrom<Growing>(true, false, "cut"), (markdown, streaming) => {
      const [now, later] = [undrawn(markdown, streaming), drawn(markdown, streaming)];
      expect(copiedText(later)).toBe(copiedText(now));
      expect(copiedHtml(later)).toBe(copiedHtml(now));
    }),
    {
      examples: [
        ["```js", false],
        ["a\n".repeat(2040), "cut"],
        ["1. $\\frac{a}{b}$\n".repeat(220), true],
      ],
    },
  );
});
