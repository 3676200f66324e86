import { expect, test } from "vitest";
import { appDownloadLink } from "./app-download.ts";

const NONE = { ios: null, android: null, page: null };
const ALL = { ios: "https://apps.example/1", android: "https://e.org/a.apk", page: "https://e.org/app" };

test.each([
  ["in the store on Apple's devices", ALL, true, ALL.ios],
  ["on the operator's page elsewhere", ALL, false, ALL.page],
  ["on the page where there is no store", { ...NONE, page: ALL.page }, true, ALL.page],
  ["by itself where there is no page", { ...NONE, android: ALL.android }, false, ALL.android],
  ["nowhere on a device that it is not made for", { ...NONE, android: ALL.android }, true, null],
  ["nowhere", NONE, false, null],
])("[NOTE-027] the app for phones is to be had %s", (_where, links, isApple, link) => {
  expect(appDownloadLink({ app_download: links }, isApple)).toBe(link);
});

test("no app is offered before it is known whether there is one", () => {
  expect(appDownloadLink(null, false)).toBeNull();
});
