import { expect, test } from "vitest";
import { linkedParts } from "./linked-parts.ts";

const plain = (text: string) => ({ text, href: null });

test("[NOTE-010] links are taken out of the text, at its ends and side by side", () => {
  expect(linkedParts("Read [this](https://x.org/a?b=c#d) now.")).toEqual([
    plain("Read "),
    { text: "this", href: "https://x.org/a?b=c#d" },
    plain(" now."),
  ]);
  expect(linkedParts("[一](/a)[二](mailto:a@b.org)")).toEqual([
    { text: "一", href: "/a" },
    { text: "二", href: "mailto:a@b.org" },
  ]);
  expect(linkedParts("No link")).toEqual([plain("No link")]);
  expect(linkedParts("")).toEqual([]);
});

test.each([
  "[x](javascript:alert(1))",
  "[x](JavaScript:alert)",
  "[x](data:text/html,1)",
  "[x](//evil.example)",
  "[x](/\\evil.example)",
  "[x](evil)",
  "[x]()",
  "<a href='https://x.org'>x</a>",
  "**bold** _and_ `code`",
])("%s stays text", (text) => {
  expect(linkedParts(text)).toEqual([plain(text)]);
});
