import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDrawnPage } from "./testing/drawn-page.ts";

let page: Awaited<ReturnType<typeof openDrawnPage>>;
/** With a queue of this test alone. */
let EnglishMarkdown: typeof import("./testing/english-markdown.tsx").EnglishMarkdown;
let makeInView: typeof import("./use-near.ts").makeInView;
/** What was scrolled to: its name, and the words that follow. */
let shown: string[];
/** The one element that is not on the screen. */
let far: Element | null;

beforeEach(async () => {
  vi.resetModules();
  ({ EnglishMarkdown } = await import("./testing/english-markdown.tsx"));
  ({ makeInView } = await import("./use-near.ts"));
  page = await openDrawnPage();
  shown = [];
  far = null;
  // This page never has time, and nothing more may be made at once than the first paragraph.
  vi.stubGlobal("requestIdleCallback", () => 0);
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => setTimeout(work));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  vi.stubGlobal("CSS", { escape: (name: string) => name });
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  Object.defineProperties(page.elements, {
    getBoundingClientRect: {
      configurable: true,
      value(this: HTMLElement) {
        return this === far ? { top: 9, bottom: 10, height: 1 } : { top: 0, bottom: 1, height: 2 };
      },
    },
    scrollIntoView: {
      configurable: true,
      value(this: HTMLElement) {
        shown.push(nameOf(this));
      },
    },
    focus: {
      configurable: true,
      value(this: HTMLElement) {
        shown.push(`${nameOf(this)} focused`);
      },
    },
  });
});

afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function nameOf({ dataset }: HTMLElement): string {
  if (dataset["place"] !== undefined) return "place";
  return dataset["note"] === undefined ? `mark ${dataset["noteMark"]}` : `note ${dataset["note"]}`;
}

const long = "word ".repeat(1000);

test.each([
  ["a footnote", `${long}[^a]\n\n${long}\n\n[^a]: Why.`, "note ^A"],
  ["a footnote in another's place", `${long}[^b]\n\n${long}\n\n[^a]: Why.\n\n[^b]: Because.`, "note ^B"],
])("a press on a mark leads to %s that is not drawn yet", async (_what, text, name) => {
  await page.draw(<EnglishMarkdown text={text} streaming={false} />);
  await vi.waitFor(() => act(async () => expect(page.document.body.innerHTML).toContain("data-place")));
  const mark = page.document.querySelector<HTMLElement>("[data-note-mark]");
  await act(async () => mark?.click());
  await vi.waitFor(() => expect(shown).toEqual(["place"]));
  // It comes near.
  await act(async () => makeInView(page.document.body));
  await vi.waitFor(() => expect(shown).toEqual(["place", name, `${name} focused`]));
});

test("the way back leads to the first mark, which is not drawn yet though a later one is", async () => {
  const text = `${long}\n\n${long}[^a]\n\nAgain[^a].\n\n[^a]: Why.`;
  await page.draw(<EnglishMarkdown text={text} streaming={false} />);
  await vi.waitFor(() => act(async () => expect(page.document.body.innerHTML).toContain("data-place")));
  const find = (selector: string) => page.document.querySelector<HTMLElement>(selector);
  far = find("[data-place]");
  expect(find("[data-note-mark]")).toBeNull();
  await act(async () => makeInView(page.document.body));
  const later = find("[data-note-mark]");
  expect(later).not.toBeNull();
  await act(async () => find('[role="doc-backlink"]')?.click());
  await vi.waitFor(() => expect(shown).toEqual(["place"]));
  far = null;
  await act(async () => makeInView(page.document.body));
  await vi.waitFor(() => expect(shown).toEqual(["place", "mark ^A", "mark ^A focused"]));
  expect(find("[data-note-mark]")).not.toBe(later);
  // Once all that is above is drawn it is gone to at once.
  shown = [];
  await act(async () => find('[role="doc-backlink"]')?.click());
  expect(shown).toEqual(["mark ^A", "mark ^A focused"]);
});

test("the way back leads to the later mark where the first one is not drawn in time", async () => {
  const text = `${long}\n\n${long}[^a]\n\nAgain[^a].\n\n[^a]: Why.`;
  await page.draw(<EnglishMarkdown text={text} streaming={false} />);
  await vi.waitFor(() => act(async () => expect(page.document.body.innerHTML).toContain("data-place")));
  const find = (selector: string) => page.document.querySelector<HTMLElement>(selector);
  far = find("[data-place]");
  await act(async () => makeInView(page.document.body));
  await act(async () => find('[role="doc-backlink"]')?.click());
  await vi.waitFor(() => expect(shown).toEqual(["place", "mark ^A", "mark ^A focused"]), 5000);
  expect(find("[data-place]")).not.toBeNull();
});
