import { expect, test } from "vitest";
import hostNames from "./browser-host-names.ts";
import { createParser } from "./markdown-parser.ts";

// What the package `punycode.js` makes of them.
test.each([
  ["example.org", "example.org"],
  ["EXAMPLE.org", "EXAMPLE.org"],
  ["1", "1"],
  ["[::1]", "[::1]"],
  ["m\u00fcller.de", "xn--mller-kva.de"],
  ["\u4f8b\u3048.jp", "xn--r8jz45g.jp"],
  ["\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "xn--e1afmkfd.xn--p1ai"],
])("%s is encoded as the package does", (host, encoded) => {
  expect(hostNames.toASCII(host)).toBe(encoded);
  expect(createParser().normalizeLink(`http://${host}/`)).toBe(`http://${encoded}/`);
});

test("what is no host name is refused, as the package may do", () => {
  expect(() => hostNames.toASCII("\u00fc b")).toThrow(TypeError);
});

test("an encoded name stays as it is written", () => {
  expect(hostNames.toUnicode("xn--80ak6aa92e.com")).toBe("xn--80ak6aa92e.com");
});
