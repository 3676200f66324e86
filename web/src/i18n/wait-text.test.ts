import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { withWait } from "../engine/texts.ts";
import type { Locale } from "../engine/site/locale.ts";
import { setLocale } from "./i18n.ts";
import { useTexts } from "./use-texts.ts";
import { waitText } from "./wait-text.ts";

test.each([
  [1, "in 1 second", " 1 秒后"],
  [90, "in 90 seconds", " 90 秒后"],
  [60, "in 1 minute", " 1 分钟后"],
  [121, "in 3 minutes", " 3 分钟后"],
  [3599, "in 1 hour", " 1 小时后"],
  [3600, "in 1 hour", " 1 小时后"],
  [5400, "in 90 minutes", " 90 分钟后"],
  [7200, "in 2 hours", " 2 小时后"],
  [86_400, "in 1 day", " 1 天后"],
  [999_999, "in 12 days", " 12 天后"],
])("a wait of %i seconds", (secs, english, chinese) => {
  expect(waitText(secs, "en_US")).toBe(english);
  expect(waitText(secs, "zh_CN")).toBe(chinese);
});

function Limit({ name }: { name: string }) {
  return useTexts().show(withWait({ key: name }, 3600));
}

test.each<[Locale, RegExp]>([
  ["en_US", /[a-z]\. Please try again in 1 hour\.$/],
  ["zh_CN", /[多繁]，请 1 小时后[再重]试。$/],
])("a limit of an hour is told in hours (%s)", async (locale, words) => {
  await setLocale(locale);
  for (const name of ["rateLimitReached", "tooManyRequests", "operationTooFrequent"]) {
    expect(renderToStaticMarkup(createElement(Limit, { name }))).toMatch(words);
  }
});
