import fc from "fast-check";
import { expect, test } from "vitest";
import * as addresses from "./browser-addresses.ts";
import { createParser } from "./markdown-parser.ts";

const parser = createParser();
// Everything outside ASCII stands behind the host here; the host's name has a stand-in of its own.
const begin = fc.constantFrom(
  "",
  "https://example.org",
  "HTTP://a.b:80",
  "//a.b",
  "ftp://u:p@h.example",
  "mailto:a@b.c",
  "https://[::1]:8080",
  "http://u@[::ffff:1.2.3.4]",
);
const signs = fc.constantFrom(
  ..."abzAZ019-_.~!*'();:@&=+$,/?#[]{}|^`\"<> \\%éß中😀\u0000\u00a0",
  "%41",
  "%e4%B8%ad",
  "%2f",
  "%ff",
  "\ud800",
);
const address = fc
  .tuple(begin, fc.constantFrom("/", "?", "#"), fc.array(signs, { maxLength: 24 }))
  .filter(([start, next]) => start !== "" || next !== "/")
  .map(([start, next, rest]) => start + next + rest.join(""));

/** As `normalizeLink` of markdown-it does it. */
function normalise(text: string): string {
  const parsed = addresses.parse(text);
  const { auth, hostname, pathname } = parsed;
  return addresses.format({
    ...parsed,
    auth: addresses.encode(auth),
    hostname: addresses.encode(hostname),
    pathname: addresses.encode(pathname),
  });
}

test("an address is written as the package writes it", () => {
  fc.assert(
    fc.property(address, (text) => {
      expect(normalise(text)).toBe(parser.normalizeLink(text));
    }),
    { numRuns: 5000 },
  );
});

test.each(["", "/a/b", "../a b", "a", "a:b", "//", "https://", "https://a.b", "javascript:alert(1)"])(
  "so is %j",
  (text) => {
    expect(normalise(text)).toBe(parser.normalizeLink(text));
  },
);

test("an address is shown as the package shows it, but for what is no text", () => {
  const kept = `${addresses.decode.defaultChars}%`;
  fc.assert(
    fc.property(address, (text) => {
      const expected = parser.utils.lib.mdurl.decode(text, kept);
      if (!expected.includes("\ufffd")) expect(addresses.decode(text, kept)).toBe(expected);
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["%e4%b8%ad%E6%96%87", "中文"],
  ["a%20b%2Fc%25", "a b%2Fc%25"],
  ["%ff", "\ufffd"],
  ["%f0%9f%98%80", "😀"],
])("%s is shown as %s", (written, shown) => {
  expect(addresses.decode(written, ";/?:@&=+$,#%")).toBe(shown);
});
