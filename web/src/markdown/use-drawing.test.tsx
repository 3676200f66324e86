import { useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { keepDiagram } from "./drawn-diagrams.ts";
import { openDrawnPage } from "./testing/drawn-page.ts";
import { useDrawing } from "./use-drawing.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Diagram({ source }: { source: string }) {
  const body = useRef<HTMLDivElement>(null);
  const { result } = useDrawing(source, body, true);
  return (
    <div ref={body}>{result !== null && typeof result !== "string" && <img src={result.url} alt="" />}</div>
  );
}

test("a diagram that was drawn before is shown again as one picture, which goes with it", async () => {
  const made = vi.spyOn(URL, "createObjectURL");
  const gone = vi.spyOn(URL, "revokeObjectURL");
  const page = await openDrawnPage();
  for (const source of ["graph TD", "graph LR"])
    keepDiagram(source, false, `<svg viewBox="0 0 9 ${source.length}">${source}</svg>`);
  await page.draw(<Diagram source="graph TD" />);
  expect(made).toHaveBeenCalledTimes(1);
  expect(page.document.querySelector("img")?.getAttribute("src")).toBe(made.mock.results[0]?.value);
  await page.draw(<Diagram source="graph LR" />);
  expect(made).toHaveBeenCalledTimes(2);
  expect(page.document.querySelector("img")?.getAttribute("src")).toBe(made.mock.results[1]?.value);
  await page.draw(<Diagram source="graph TD" />);
  expect(page.document.querySelector("img")?.getAttribute("src")).toBe(made.mock.results[2]?.value);
  await page.close();
  expect(gone.mock.calls).toEqual(made.mock.results.map(({ value }) => [value]));
});
