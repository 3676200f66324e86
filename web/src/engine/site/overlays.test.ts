import { expect, test } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createOverlays } from "./overlays.ts";

function build() {
  const browser = createFakeBrowser(() => new Response());
  const overlays = createOverlays(browser);
  return { browser, overlays, panel: () => overlays.store.getState().panel };
}
const html = (text: string) => ({ kind: "html", language: "html", code: text }) as const;

test("the panel is open, then closing for 200 ms, then removed [SHELL-057]", async () => {
  const { browser, overlays, panel } = build();
  overlays.openPanel(html("one"));
  expect(panel()).toEqual({ id: 1, content: html("one"), phase: "open" });
  overlays.closePanel();
  await browser.advance(199);
  expect(panel()).toMatchObject({ content: html("one"), phase: "closing" });
  overlays.closePanel();
  await browser.advance(1);
  expect(panel()).toBeNull();
  overlays.closePanel();
  expect(panel()).toBeNull();
});

test("what a search has found takes the place of a file in the panel [FILE-042]", () => {
  const { overlays, panel } = build();
  overlays.openPanel({ kind: "file", fileId: "file-1", name: "a.pdf" });
  overlays.openPanel({ kind: "search", queries: [], results: [] });
  expect(panel()).toMatchObject({ content: { kind: "search" }, phase: "open" });
});

test("what is found while the panel shows a search joins it; another showing is left alone", async () => {
  const { browser, overlays, panel } = build();
  const search = (...queries: string[]) => ({ kind: "search", queries, results: [] }) as const;
  const id = overlays.openPanel(search("rain"));
  overlays.updatePanel(id, search("rain", "snow"));
  expect(panel()).toEqual({ id, content: search("rain", "snow"), phase: "open" });
  overlays.openPanel(html("one"));
  overlays.updatePanel(id, search("hail"));
  expect(panel()?.content).toEqual(html("one"));
  overlays.closePanel();
  await browser.advance(200);
  overlays.updatePanel(id, search("hail"));
  expect(panel()).toBeNull();
});

test("what is opened while another fades stays open", async () => {
  const { browser, overlays, panel } = build();
  overlays.openPanel(html("one"));
  overlays.closePanel();
  overlays.openPanel(html("two"));
  await browser.advance(1000);
  expect(panel()).toEqual({ id: 2, content: html("two"), phase: "open" });
});

test("leaving takes everything away at once", async () => {
  const { browser, overlays, panel } = build();
  overlays.change({ settings: "general" });
  overlays.openPanel(html("one"));
  overlays.closePanel();
  overlays.clear();
  expect([panel(), overlays.store.getState().settings]).toEqual([null, null]);
  overlays.openPanel(html("two"));
  await browser.advance(1000);
  expect(panel()?.phase).toBe("open");
});
