import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeFrame } from "./code-frame.tsx";
import { englishLabels, MarkdownLabelsContext } from "./markdown-labels.ts";
import { runnableHtml } from "./runnable-html.ts";

function draw(language: string, settled: boolean, canRun = true): string {
  const labels = canRun ? { ...englishLabels, onRun: () => {} } : englishLabels;
  return renderToStaticMarkup(
    <MarkdownLabelsContext value={labels}>
      <CodeFrame language={language} chunks={["<p>"]} settled={settled} />
    </MarkdownLabelsContext>,
  );
}

test("complete HTML and SVG can be run, where there is a place for it [REND-007]", () => {
  for (const language of ["html", "HTML", "htm", "xhtml", "svg"])
    expect(draw(language, true)).toContain(">Run<");
  for (const language of ["", "js", "xml", "htmlx", "constructor"])
    expect(draw(language, true)).not.toContain(">Run<");
  expect(draw("html", false)).not.toContain(">Run<");
  expect(draw("html", true, false)).not.toContain(">Run<");
});

test.each([
  ["html", "<!DOCTYPE html><p>", "<!DOCTYPE html><p>"],
  ["html", "\n<!-- a -->\n<!doctype html>x", "\n<!-- a -->\n<!doctype html>x"],
  ["html", "<p>a</p>", "<!doctype html><p>a</p>"],
])("the page for %s %j is one of the present", (language, code, page) => {
  expect(runnableHtml(language, code)).toBe(page);
});

test("a picture stands alone on its page", () => {
  expect(runnableHtml("svg", "<svg/>")).toMatch(/^<!doctype html><style>.*<\/style><svg\/>$/);
});
