import { expect, test } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createPageReturn } from "./page-return.ts";

function build() {
  const browser = createFakeBrowser(() => new Response());
  const events: string[] = [];
  const page = createPageReturn({
    browser,
    followOtherTabs: () => void events.push("tabs"),
    recoverReplies: () => void events.push("replies"),
    refresh: () => void events.push("refresh"),
    loadFailed: () => void events.push("failed"),
  });
  const take = (): string[] => events.splice(0);
  return { browser, page, take };
}

test("a page that is seen again follows other tabs first, then its replies, then what it shows; a network that is back brings what failed", () => {
  const { browser, page, take } = build();
  page.start();
  browser.setVisible(true);
  expect(take()).toEqual(["tabs", "replies", "refresh"]);
  browser.comeOnline();
  expect(take()).toEqual(["replies", "failed", "refresh"]);
});

test("lost replies are looked for every 20 s while the page shows", async () => {
  const { browser, page, take } = build();
  page.start();
  await browser.advance(40_000);
  expect(take()).toEqual(["replies", "replies"]);
  browser.setVisible(false);
  await browser.advance(60_000);
  expect(take()).toEqual([]);
});

test("a second start listens once, and after a stop nothing is heard", async () => {
  const { browser, page, take } = build();
  page.start();
  page.start();
  browser.comeOnline();
  expect(take()).toEqual(["replies", "failed", "refresh"]);
  page.stop();
  browser.comeOnline();
  browser.setVisible(true);
  await browser.advance(60_000);
  expect(take()).toEqual([]);
});
