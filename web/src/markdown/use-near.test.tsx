import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDrawnPage } from "./testing/drawn-page.ts";

let page: Awaited<ReturnType<typeof openDrawnPage>>;
/** With a queue of this test alone. */
let EnglishMarkdown: typeof import("./testing/english-markdown.tsx").EnglishMarkdown;

beforeEach(async () => {
  vi.resetModules();
  ({ EnglishMarkdown } = await import("./testing/english-markdown.tsx"));
  page = await openDrawnPage();
  // This page never has time.
  vi.stubGlobal("requestIdleCallback", () => 0);
});

afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("the place of a list that goes on behind it says all of its words", async () => {
  // All that may be made at once is spent by the first paragraph.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const items = Array.from({ length: 40 }, (_, index) => `- item ${index} of many\n`);
  const draw = (count: number) =>
    page.draw(
      <EnglishMarkdown text={`${"word ".repeat(1000)}\n\n${items.slice(0, count).join("")}`} streaming />,
    );
  const words = () => [...page.document.querySelectorAll("[data-place]")].at(-1)?.textContent ?? "";
  await draw(20);
  await vi.waitFor(() => expect(words()).toContain("item 19 of many"));
  await draw(40);
  await vi.waitFor(() => expect(words()).toContain("item 39 of many"));
});
