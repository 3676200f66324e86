import { expect, test } from "vitest";
import { resolveLocale } from "./locale.ts";

test.each([
  ["zh_CN", ["en-US"], "zh_CN"],
  ["en_US", ["zh-CN"], "en_US"],
  ["system", ["zh-TW", "en"], "zh_CN"],
  ["system", ["fr-FR", "en-GB", "zh-CN"], "en_US"],
  ["system", ["de", "fr"], "en_US"],
  ["system", [], "en_US"],
] as const)("%s with %j shows %s [I18N-002]", (preference, languages, locale) => {
  expect(resolveLocale(preference, languages)).toBe(locale);
});
