import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the dot of a row makes way for the menu's button wherever it has no place beside it, whatever the pointer is", () => {
  const css = readFileSync(new URL("session-row.module.css", import.meta.url), "utf8");
  const blocks = css.split(/^(?=@media)/m);
  const mediaOf = (rule: RegExp) =>
    blocks.filter((block) => rule.test(block)).map((block) => /^@media (.*) {/.exec(block)?.[1]);
  expect(mediaOf(/\.active \.dot \{\s*visibility: hidden/)).toEqual(["not (pointer: coarse)"]);
  expect(mediaOf(/\.dot \{\s*right: var\(--touch-target\)/)).toEqual(["(pointer: coarse)"]);
});
