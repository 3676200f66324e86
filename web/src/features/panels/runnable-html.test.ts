import { expect, test } from "vitest";
import { runnableHtml } from "./runnable-html.ts";

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
