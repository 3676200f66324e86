import { afterEach, expect, test } from "vitest";
import { createFakeBrowser, type FakeBrowser } from "../testing/fake-browser.ts";
import { createNewVersion } from "./new-version.ts";
import { createVersionCheck } from "./version-check.ts";
import type { ToastInput } from "./toast.ts";

let browser: FakeBrowser;
let answer: () => Response;
let asked: string[] = [];
let found: string[] = [];

function open(version: () => Response): ReturnType<typeof createVersionCheck> {
  asked = [];
  found = [];
  answer = version;
  browser = createFakeBrowser((path) => {
    asked.push(path);
    return answer();
  });
  return createVersionCheck({ browser, found: (one) => found.push(one) });
}
const says =
  (text: string, status = 200) =>
  () =>
    new Response(text, { status });
let check: ReturnType<typeof createVersionCheck>;
afterEach(() => check.stop());

test("[NOTE-019][NOTE-020] looks 5 s after the page was opened, then every hour, and whenever it is seen again", async () => {
  check = open(says(browserVersion()));
  check.start(browser.now() - 2000);
  await browser.advance(2999);
  expect(asked).toEqual([]);
  await browser.advance(1);
  expect(asked).toEqual(["/version.txt"]);
  await browser.advance(3_600_000 - 3000);
  expect(asked).toHaveLength(2);
  browser.setVisible(false);
  browser.setVisible(true);
  await browser.settle();
  expect(asked).toHaveLength(3);
  expect(found).toEqual([]);
});

test("[NOTE-021] another version is told of, with or without a line's end", async () => {
  check = open(says("99.1.0\n"));
  check.start(browser.now());
  await browser.advance(5000);
  expect(found).toEqual(["99.1.0"]);
});

test.each([
  ["a page in its place", says("<!doctype html>")],
  ["one number", says("99")],
  ["no number first", says("v99.1")],
  ["a refusal", says("99.1.0", 500)],
])("[NOTE-022] %s is no version: the check fails, and says so in the log alone", async (_what, version) => {
  check = open(version);
  check.start(browser.now());
  await browser.advance(5000);
  expect(found).toEqual([]);
  expect(browser.logged.join()).toContain("the version check failed");
});

test("without a network the next look comes all the same", async () => {
  check = open(() => {
    throw new TypeError("no network");
  });
  check.start(browser.now());
  await browser.advance(5000);
  answer = says("99.1.0");
  await browser.advance(3_600_000);
  expect(found).toEqual(["99.1.0"]);
});

test("[NOTE-021] a version is told of once, also when its notice was closed; the next one again", async () => {
  check = open(says(""));
  const toasts: ToastInput[] = [];
  const notice = createNewVersion({
    browser,
    isAtWork: () => false,
    showToast: (toast) => toasts.push(toast),
    reload: () => {},
  });
  notice.found("2.0.0");
  notice.found("2.0.0");
  expect(toasts).toHaveLength(1);
  notice.found("2.1.0");
  expect(toasts).toHaveLength(2);
});

function browserVersion(): string {
  return createFakeBrowser(() => new Response()).appVersion;
}
