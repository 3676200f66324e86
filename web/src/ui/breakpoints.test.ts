import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** sm, md, lg, xl, 2xl, 3xl (requirements 0§9). */
const BREAKPOINTS = [640, 768, 1024, 1280, 1536, 1920];
/** Below it the sidebar is a sheet. */
const SMALL_VIEW = 800;

const root = join(import.meta.dirname, "..");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(?:css|ts|tsx)$/.test(path) && !path.includes(".test."))
  .map((path) => readFileSync(join(root, path), "utf8"));

test("[SHELL-063] the layout changes at the product's breakpoints and at the small view, and at no other width of a screen", () => {
  const asked = sources.flatMap((source) => [
    ...source.matchAll(/(?:@media[^{;]*|matchMedia\("|useMedia\(")\(width [<>]=? (\d+)px\)/g),
  ]);
  // Below the first of them a page is one column, whatever its parts do to fit.
  const widths = new Set(asked.map(([, width]) => Number(width)).filter((width) => width >= 640));
  expect([...widths].filter((width) => !BREAKPOINTS.includes(width) && width !== SMALL_VIEW)).toEqual([]);
  expect(widths).toContain(SMALL_VIEW);
  expect([...widths].some((width) => BREAKPOINTS.includes(width))).toBe(true);
});
