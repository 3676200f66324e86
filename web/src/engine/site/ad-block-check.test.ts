import { expect, test } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { isAdBlockOn } from "./ad-block-check.ts";

const blocking = (blocked: (path: string) => boolean) =>
  createFakeBrowser((path) => {
    if (blocked(path)) throw new TypeError("Failed to fetch");
    return new Response("");
  });

test("an ad blocker is one that keeps the bait back and nothing else", async () => {
  expect(await isAdBlockOn(blocking((path) => path.includes("/ads/")))).toBe(true);
  expect(await isAdBlockOn(blocking(() => false))).toBe(false);
  // The server is away.
  expect(await isAdBlockOn(blocking(() => true))).toBe(false);
});
