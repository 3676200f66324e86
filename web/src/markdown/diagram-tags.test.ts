import { expect, it } from "vitest";
import { withoutFormatTags } from "./diagram-tags.ts";

it.each([
  ['A["<b>Bold</b> and <i>it</i>"]', 'A["Bold and it"]'],
  ["A[\"<span style='color:red'>red</span><br/>next\"]", 'A["red<br/>next"]'],
  ["A <-->|both| B\nC <--> D", "A <-->|both| B\nC <--> D"],
  ["class Shape {\n  <<interface>>\n}", "class Shape {\n  <<interface>>\n}"],
  ["A -->|a < b > c| B", "A -->|a < b > c| B"],
  ["List~String~ items", "List~String~ items"],
  ["Set<S> and Pair<B, U>", "Set<S> and Pair<B, U>"],
])("drops what formats words, and nothing else: %j", (source, plain) => {
  expect(withoutFormatTags(source)).toBe(plain);
});

it("leaves no tag of the list behind that was made of others", () => {
  // One pass: what a tag within a tag leaves is looked at as it is by all that comes after.
  expect(withoutFormatTags("<im<b>g src=x>")).toBe("<img src=x>");
});
