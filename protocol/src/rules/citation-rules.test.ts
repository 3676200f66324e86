import { expect, test } from "vitest";
import { CITATION, citedNumbers, MOST_CITED_CHARS } from "./citation-rules.ts";

const whole = new RegExp(`^${CITATION}$`);

test.each([
  ["[citation:3]", [3]],
  ["[citation: 3]", [3]],
  ["[citation:3 ]", [3]],
  ["[Citation:3]", [3]],
  ["[citation:4, 5]", [4, 5]],
  ["[citation:4,5,6]", [4, 5, 6]],
  ["[citation:4、5；4]", [4, 5]],
  ["[citation:4, citation:12]", [4, 12]],
  ["【citation:1】", [1]],
  ["【citation：1，2】", [1, 2]],
  ["[citation:0]", [0]],
])("%s cites %j", (citation, numbers) => {
  expect(citation).toMatch(whole);
  expect(citedNumbers(citation)).toEqual(numbers);
});

test.each([
  "[citation:]",
  "[citation:x]",
  "[citation:12345]",
  "[citation:4 5]",
  "[citation:4,]",
  "[citation:\n4]",
  "[cite:4]",
  "citation:4",
  "(citation:4)",
  `[citation:${Array.from({ length: MOST_CITED_CHARS }, () => "1").join(",")}]`,
])("%j is no citation", (text) => {
  expect(text).not.toMatch(whole);
});
