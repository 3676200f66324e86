import { afterEach, expect, test, vi } from "vitest";
import { copiedHtml } from "./copied-html.ts";
import { copiedText } from "./copied-text.ts";
import { partsOfPage } from "./parts-of-page.ts";
import { createTextReader } from "./parts-of-text.ts";
import { englishLabels } from "./testing/english-markdown.tsx";
import { selectedIn } from "./testing/selected-page.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** What is copied of the part between « and » in some HTML; null where the browser copies it. */
function copied(html: string): { text: string; html: string } | null {
  const [range] = selectedIn(html);
  if (range === undefined) throw new Error("Nothing is selected.");
  const parts = partsOfPage(range, createTextReader(englishLabels));
  return parts && { text: copiedText(parts), html: copiedHtml(parts) };
}

/** Some HTML in a message. */
function said(html: string): string {
  return `<div data-message-id="2"><article><div>${html}</div></article></div>`;
}

const preview =
  '<div><div style="display: grid"><span style="display: block; user-select: none">1</span><span style="display: block; white-space: pre-wrap">«if (a):\n</span></div>' +
  '<div style="display: grid"><span style="display: block; user-select: none">2</span><span style="display: block; white-space: pre-wrap">    b = 1»\n</span></div></div>';

test.each([
  ["a previewed file", preview],
  ["a list of what was found", "<ol><li>«One <button>x</button></li><li>Two»</li></ol>"],
  ["paragraphs of a window", "<p>«One</p><p>Two»</p>"],
])("%s is copied by the browser", (_what, html) => {
  expect(copied(html)).toBeNull();
});

test("beside a message, lines of a file keep their blanks and have no numbers", () => {
  const both = `${said("<p>«Read this:</p>")}${preview.replace("«", "")}`;
  expect(copied(both)?.text).toBe("Read this:\n\nif (a):\n    b = 1");
});

test.each([
  [
    "of which nothing is selected but its end",
    "<ol start=3><li>a«</li><li>b</li><li>c»</li></ol>",
    4,
    "4. b\n5. c",
  ],
  ["of which a letter is selected", "<ol start=3><li>a«b</li><li>c»</li></ol>", 3, "3. b\n4. c"],
  ["that is whole", "<p>«a</p><ol start=3><li></li><li>b</li></ol><p>c»</p>", 3, "a\n\n3.\n4. b\n\nc"],
  ["in another", "<ol><li>a«<ol><li>b</li></ol></li><li>c»</li></ol>", 1, "1. 1. b\n2. c"],
])("behind an item %s, items keep their numbers", (_how, html, start, text) => {
  const outcome = copied(said(html));
  expect(outcome?.text).toBe(text);
  expect(outcome?.html).toContain(start === 1 ? "<ol><li>" : `<ol start="${start}">`);
});
