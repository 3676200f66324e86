import { describe, expect, test, vi } from "vitest";
import { decodeHTMLStrict } from "./browser-entities.ts";
import { parseInline } from "./markdown-parser.ts";

/** The reference, what a browser shows for it, and what CommonMark makes of it. */
const samples = [
  ["&copy;", "©", "©"],
  ["&nbsp;", "\u00a0", "\u00a0"],
  ["&amp;", "&", "&"],
  ["&lt;", "<", "<"],
  ["&semi;", ";", ";"],
  ["&NewLine;", "\n", "\n"],
  ["&CounterClockwiseContourIntegral;", "∳", "∳"],
  ["&ngE;", "≧̸", "≧̸"],
  ["&nosuchname;", "&nosuchname;", "&nosuchname;"],
  ["&copyright;", "©right;", "&copyright;"],
  ["&ampersand;", "&ersand;", "&ampersand;"],
] as const;

describe("named references", () => {
  test.each(samples)("%s", (reference, shown, expected) => {
    expect(decodeHTMLStrict(reference, () => shown)).toBe(expected);
  });

  test.each(samples)("%s is what markdown-it's own table says", (reference, _shown, expected) => {
    const text = parseInline(reference, { references: {} })
      .map((token) => token.content)
      .join("");
    expect(text).toBe(expected);
  });

  test.each(["&copy", "&copy; <b>", "<b>", "&#65;", "&a;"])("%s never reaches the browser", (text) => {
    const read = vi.fn<(reference: string) => string>();
    expect(decodeHTMLStrict(text, read)).toBe(text);
    expect(read).not.toHaveBeenCalled();
  });
});
