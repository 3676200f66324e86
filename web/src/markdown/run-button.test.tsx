import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeFrame } from "./code-frame.tsx";
import { MarkdownLabelsContext } from "./markdown-labels.ts";
import { englishLabels } from "./testing/english-markdown.tsx";

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
