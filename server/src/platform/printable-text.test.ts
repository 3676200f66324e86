import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, printableJson } from "./printable-text.ts";

const dangerous = "\u0000\u0007\u001b\n\r\u007f\u009b\u200e\u202e\u2066\u2028\ud800\u{e0041}";

describe("text of others", () => {
  test("keeps what can be printed and replaces what a terminal could act on", () => {
    expect(printable("Qwen 3 – 深度 🙂 é")).toBe("Qwen 3 – 深度 🙂 é");
    expect(printable(`a\u001b[31mb${dangerous}c`)).toMatch(/^a\ufffd\[31mb\ufffd+c$/u);
    expect(printable("x".repeat(5000))).toBe(`${"x".repeat(200)}…`);
  });

  test("no text comes through with a control in it, and none with a broken pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = printable(text + dangerous);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  test("JSON means the same and holds no control", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = JSON.stringify({ text: text + dangerous });
        const safe = printableJson(json);
        expect(safe).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(JSON.parse(safe)).toEqual(JSON.parse(json));
      }),
    );
  });
});
