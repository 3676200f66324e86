import { expect, test } from "vitest";
import { fillText } from "./fill-text.ts";

const texts = {
  plain: "Close",
  named: "“{{title}}” and {{title}}",
  done_one: "{{count}} second",
  done_other: "{{count}} seconds",
  refused: "Refused (B{{code}})",
};
const english = new Intl.PluralRules("en-US");

test.each<[string, Record<string, string | number> | undefined, string]>([
  ["plain", undefined, "Close"],
  ["named", { title: "Tides" }, "“Tides” and Tides"],
  ["named", { title: "$& {{count}}", count: 2 }, "“$& {{count}}” and $& {{count}}"],
  ["named", { title: "a\u202eb" }, "“\u2068a\u202eb\u2069” and \u2068a\u202eb\u2069"],
  ["named", { title: "\u2069\u202eb\u2067" }, "“\u2068\u202eb\u2069” and \u2068\u202eb\u2069"],
  ["named", {}, "“{{title}}” and {{title}}"],
  ["done", { count: 1 }, "1 second"],
  ["done", { count: 0 }, "0 seconds"],
  ["done", { count: 12 }, "12 seconds"],
  ["done", { count: 10_000 }, "10,000 seconds"],
  ["refused", { code: 40_003 }, "Refused (B40003)"],
  ["unknown", undefined, "unknown"],
])("%s with %j", (key, params, text) => {
  expect(fillText(texts, english, key, params)).toBe(text);
});

test("a language without a singular takes the other form", () => {
  expect(
    fillText({ done_one: "一", done_other: "{{count}} 秒" }, new Intl.PluralRules("zh-CN"), "done", {
      count: 1,
    }),
  ).toBe("1 秒");
});
