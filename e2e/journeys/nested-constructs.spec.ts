// Constructs in each other without end, drawn by a real browser: its layout has a stack, and formulas of 805 signs used it up.
import { expect, test, type Page } from "@playwright/test";
import fc from "fast-check";
import "../../scripts/testing/seed-of-properties.ts";
import type {} from "../../web/dev/answers-window.ts";
import { serveAnswersPage } from "../support/answers-page.ts";
import {
  codeSigns,
  diagramFrames,
  diagramTrees,
  formulaSigns,
  lineSigns,
  lineStarts,
  type Signs,
} from "../support/nested-constructs.ts";

const long = process.env["TEST_LONG"] === "1";
let served: Awaited<ReturnType<typeof serveAnswersPage>>;

test.beforeAll(async () => {
  served = await serveAnswersPage();
});
test.afterAll(() => served.close());

/** The page with what draws formulas, diagrams and copies; errors that nothing caught are noted. */
async function open(page: Page): Promise<string[]> {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(served.url);
  await page.evaluate(() => window.showAnswer("$x$ and $\\ce{H2O}$\n\n```mermaid\ngraph TD\nA-->B\n```"));
  await expect(page.locator(".katex").nth(1)).toBeVisible();
  await expect(page.locator("article img")).toBeVisible();
  const copies = page.waitForResponse(/copy-selection/);
  await page.mouse.move(20, 20);
  await (await copies).finished();
  return errors;
}

/** Levels of these constructs in turn; without its second half it is still open. */
function nest(signs: readonly Signs[], depth: number, core: string, isClosed = true): string {
  const of = (level: number): Signs => signs[level % signs.length] ?? ["", ""];
  const levels = Array.from({ length: depth }, (_none, level) => level);
  const opened = levels.map((level) => of(level)[0].replaceAll("#", String(level))).join("");
  return `${opened}${core}${isClosed ? levels.map((level) => of(depth - 1 - level)[1]).join("") : ""}`;
}

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
const inLines = ([open, close]: Signs): Signs => [`${open}\n`, `\n${close}`];
const frames = ([head, opens, closes, core]: (typeof diagramFrames)[number], depth: number) =>
  `${head}\n${nest([inLines([opens, closes])], depth, core)}`;
const tree = ([head, line]: (typeof diagramTrees)[number], depth: number) =>
  `${head}\n${Array.from({ length: depth }, (_none, level) => " ".repeat(2 * level) + line.replace("#", String(level))).join("\n")}`;

/**
 * Shows the answer, as it grows up to each of the `stops` and then whole, and copies it. What it comes to: formulas that are
 * neither drawn nor shown as their source, and whether its words are there.
 */
async function show(page: Page, text: string, stops: readonly number[] = []): Promise<unknown> {
  return page.evaluate(
    async ({ whole, ends }) => {
      // Two frames have been laid out and painted.
      const painted = async () => {
        for (let count = 0; count < 2; count++)
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      };
      window.showAnswer("");
      for (const end of ends) {
        window.continueAnswer(whole.slice(0, end), true);
        await painted();
      }
      window.continueAnswer(whole, false);
      await painted();
      // What is far from the screen is made when it comes near.
      const scroller = document.querySelector("main");
      const hasWords = () => document.querySelector("article")?.textContent.includes("end of it") === true;
      for (let frames = 0; frames < 300 && !hasWords(); frames++) {
        scroller?.scrollTo(0, scroller.scrollHeight);
        await painted();
      }
      const isShown = (part: Element | null) => part !== null && getComputedStyle(part).display !== "none";
      const lost = [...document.querySelectorAll<HTMLElement>("article [data-tex]")].filter(
        (formula) =>
          !formula.hasAttribute("data-waits") &&
          formula.querySelector(".katex") === null &&
          !isShown(formula.firstElementChild),
      );
      document.getSelection()?.selectAllChildren(document.querySelector("article") ?? document.body);
      const clipboardData = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
      return {
        lost: lost.map(({ dataset }) => dataset["tex"]?.slice(0, 100)),
        hasWords: hasWords(),
        copies: clipboardData.getData("text/plain").includes("end of it"),
      };
    },
    { whole: `${text}\n\nThe end of it.`, ends: stops },
  );
}

const whole = { lost: [], hasWords: true, copies: true };

test("each construct of a formula, a line, a block and code 200 and 3,000 deep is drawn or shown as its source [REND-001] [REND-003]", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const errors = await open(page);
  for (const depth of [200, 3000]) {
    const texts = [
      ...formulaSigns.map((signs) => `$$\n${nest([signs], depth, "x")}\n$$`),
      ...lineSigns.map((signs) => nest([signs], depth, "x")),
      ...lineStarts.map((start) => `${start.repeat(depth)}$$x^{2}$$`),
      ...codeSigns.map(([language, ...signs]) => fenced(language, nest([signs], depth, "x"))),
    ];
    for (const text of texts) expect.soft(await show(page, text), text.slice(0, 60)).toEqual(whole);
  }
  expect(errors).toEqual([]);
});

test("a formula deep in notes and lists is drawn, and one that is too deep shows its source while it grows and after [REND-003]", async ({
  page,
}) => {
  const errors = await open(page);
  const fraction = nest([["1+\\cfrac{1}{", "}"]], 20, "x");
  await show(page, `${"[^a]: ".repeat(90)}$$${fraction}$$`);
  await expect(page.locator("article .katex .mfrac").first()).toBeAttached();
  const deep = nest([["x^{", "}"]], 200, "x");
  await page.evaluate((text) => window.showAnswer(text), "");
  for (const end of [60, 400, 700]) {
    await page.evaluate((text) => window.continueAnswer(text, true), `$$\n${deep.slice(0, end)}`);
    await expect(page.locator("article .katex")).toHaveCount(end < 100 ? 1 : 0);
  }
  await expect(page.getByText(deep.slice(0, 700))).toBeVisible();
  await page.evaluate((text) => window.continueAnswer(text, false), `$$\n${deep}\n$$`);
  await expect(page.getByText(deep)).toBeVisible();
  expect(errors).toEqual([]);
});

test("a formula whose macros nest or fill it beyond what its source shows, stays its source [REND-003]", async ({
  page,
}) => {
  const errors = await open(page);
  const roots = nest([["\\sqrt{", "}"]], 8, "#1");
  for (const tex of [
    `\\def\\a#1{${roots}}${nest([["\\a{", "}"]], 30, "x")}`,
    `\\begin{array}{c}${"a&".repeat(3000)}a\\end{array}`,
  ]) {
    expect(await show(page, `$$\n${tex}\n$$`)).toEqual(whole);
    await expect(page.locator("article .katex")).toHaveCount(0);
    await expect(page.locator("article [data-tex]")).toContainText(tex);
  }
  expect(errors).toEqual([]);
});

test("nestings of constructs in each other, whole, half written and cut, leave the page alive [REND-001]", async ({
  page,
}) => {
  test.setTimeout(long ? 1_200_000 : 240_000);
  const errors = await open(page);
  // Most lie where drawing is dangerous: shallower it is harmless, deeper the parsers give up by themselves.
  const depth = fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 60 }), weight: 1 },
    { arbitrary: fc.integer({ min: 61, max: 300 }), weight: 2 },
    { arbitrary: fc.integer({ min: 301, max: 3000 }), weight: 1 },
  );
  const some = <T>(signs: readonly T[]) =>
    fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 3 });
  const isClosed = fc.oneof(
    { arbitrary: fc.constant(true), weight: 3 },
    { arbitrary: fc.constant(false), weight: 1 },
  );
  const formula = fc
    .tuple(some(formulaSigns), depth, isClosed)
    .map(([signs, levels, closed]) => `$$${nest(signs, levels, "x", closed)}$$`);
  const line = fc
    .tuple(
      some([...lineSigns, ...formulaSigns.map(([before, after]): Signs => [`$${before}`, `${after}$`])]),
      depth,
      isClosed,
    )
    .map(([signs, levels, closed]) => nest(signs, levels, "x", closed));
  const code = fc
    .tuple(fc.constantFrom(...codeSigns), depth, isClosed)
    .map(([[language, ...signs], levels, closed]) => fenced(language, nest([signs], levels, "x", closed)));
  const inBlocks = fc
    .tuple(
      fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...lineStarts), { maxLength: 120 })),
      fc.oneof(formula, line, code),
    )
    .map(([starts, content]) => starts.join("") + content);
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(inBlocks, cuts, async (text, parts) => {
      const stops = parts.map((part) => Math.floor(part * text.length)).toSorted((one, other) => one - other);
      // In a block that nothing ends the last words may be its own.
      expect(await show(page, text, stops)).toMatchObject({ lost: [], hasWords: true });
      expect(errors).toEqual([]);
    }),
    { numRuns: long ? 3000 : 60, endOnFailure: true },
  );
});

test("a diagram whose frames or branches stand too deep in each other stays code [REND-008]", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const errors = await open(page);
  const failed = page.getByText("This diagram could not be drawn.");
  for (const depth of [50, 1000]) {
    const sources = [
      ...diagramFrames.map((kind) => frames(kind, depth)),
      ...diagramTrees.map((kind) => tree(kind, depth)),
    ];
    for (const source of sources) {
      expect.soft(await show(page, fenced("mermaid", source))).toEqual(whole);
      await expect.soft(failed, source.slice(0, 40)).toBeVisible();
      await expect(page.locator("article img")).toHaveCount(0);
    }
  }
  for (const source of [
    ...diagramFrames.map((kind) => frames(kind, 6)),
    ...diagramTrees.map((kind) => tree(kind, 8)),
  ]) {
    await show(page, fenced("mermaid", source));
    await expect.soft(page.locator("article img"), source.slice(0, 40)).toBeVisible();
  }
  expect(errors).toEqual([]);
});
