// docs/known-failures.md names tests that are there.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inProject } from "./paths.mjs";

const text = (file: string) => readFileSync(inProject(...file.split("/")), "utf8");

it("every known failure names tests that are in their files", () => {
  const rows = text("docs/known-failures.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:Failure \||\*\*)/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const files = [...row.matchAll(/`([^`]+)`((?:,? "[^"]+")+)/g)];
    expect(files, row).not.toEqual([]);
    for (const [, file = "", titles = ""] of files)
      for (const [title] of titles.matchAll(/"[^"]+"/g))
        expect(
          [title, `\`${title.slice(1, -1)}\``].some((quoted) => text(file).includes(quoted)),
          title,
        ).toBe(true);
  }
});
