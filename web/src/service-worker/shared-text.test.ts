import { expect, test } from "vitest";
import { sharedText } from "./shared-text.ts";

test.each([
  [
    { title: "A page", text: "Worth reading", url: "https://e.org/a" },
    "A page\nWorth reading\nhttps://e.org/a",
  ],
  // Android puts the address into the text.
  [{ title: "A page", text: "A page https://e.org/a", url: "" }, "A page https://e.org/a"],
  [{ title: "same", text: "same", url: "same" }, "same"],
  [{ text: "  two\nlines  " }, "two\nlines"],
  [{ title: new Blob(["no text"]), text: "text" }, "text"],
  [{ text: "x".repeat(1_000_001) }, "x".repeat(1_000_000)],
  [{}, ""],
])("what is shared is said once: %#", (fields, text) => {
  expect(sharedText((name) => (fields as Record<string, unknown>)[name])).toBe(text);
});
