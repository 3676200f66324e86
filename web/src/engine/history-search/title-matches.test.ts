import type { Session } from "@plumb/protocol/wire/sessions";
import { expect, test } from "vitest";
import { markedParts, withoutMarkdown } from "./marked-parts.ts";
import { titleMatches } from "./title-matches.ts";

const named = (title: string | null): Session => ({ id: title ?? "none", title, updated_at: 5 }) as Session;

test.each([
  ["plumb", "A Plumb line", [[2, 7]]],
  ["LINE plumb", "A Plumb line", [[2, 7], [8, 12]]], // prettier-ignore
  ["ＡＢ", "x ab", [[2, 4]]],
  ["铅垂", "关于铅垂线", [[2, 4]]],
  ["é", "Café", [[3, 4]]],
  ["😀", "a😀b", [[1, 2]]],
])("%o is found in %o", (query, title, ranges) => {
  expect(titleMatches([named(title), named(null), named("Other")], query)).toEqual([
    { chat_session: named(title), message_id: null, role: null, snippet: title, ranges, inserted_at: 5 },
  ]);
});

test("every part of a query has to be there, and a blank one finds nothing", () => {
  expect(titleMatches([named("A plumb line")], "plumb bob")).toEqual([]);
  expect(titleMatches([named("A plumb line")], "  ")).toEqual([]);
});

test.each([
  ["plain", [], [["plain", false]]],
  ["", [], []],
  ["a😀b", [[1, 2]], [["a", false], ["😀", true], ["b", false]]], // prettier-ignore
  ["abcd", [[2, 4], [0, 3]], [["abcd", true]]], // prettier-ignore
  ["abcd", [[1, 2], [2, 3]], [["a", false], ["bc", true], ["d", false]]], // prettier-ignore
  ["ab", [[1, 9], [12, 14]], [["a", false], ["b", true]]], // prettier-ignore
] as [string, [number, number][], [string, boolean][]][])("%o with %o in pieces", (text, ranges, parts) => {
  expect(markedParts(text, ranges)).toEqual(parts.map(([piece, isMarked]) => ({ text: piece, isMarked })));
});

test.each([
  ["## Tides are **two** `bulges`", "Tides are two bulges"],
  ["C# and #5, 2 * 3, snake_case", "C# and #5, 2 * 3, snake_case"],
  ["| Way | Few | |---|:--:| | Join | best |", "| Way | Few | Join | best |"],
  ["a || b; ls | wc", "a || b; ls | wc"],
])("%o is read as %o", (written, read) => {
  expect(withoutMarkdown(written)).toBe(read);
});
