// Real-looking answers drawn by themselves: what moves while they grow.
import { expect, test, type Page } from "@playwright/test";
import type {} from "../../web/dev/answers-window.ts";
import { serveAnswersPage } from "../support/answers-page.ts";
import { copiedOfEveryConstruct, everyConstruct, longLine } from "../support/every-construct.ts";

let served: Awaited<ReturnType<typeof serveAnswersPage>>;

test.beforeAll(async () => {
  served = await serveAnswersPage();
});
test.afterAll(() => served.close());

/** The page with the drawer of formulas loaded. */
async function open(page: Page): Promise<void> {
  await page.goto(served.url);
  await page.evaluate(() => window.showAnswer("$x$ and $\\ce{H2O}$"));
  await expect(page.locator(".katex").nth(1)).toBeVisible();
}

for (const width of [1440, 390]) {
  test(`no block changes its height by more than 8 px as it ends, at ${width} px`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height: 900 });
    await open(page);
    const count = await page.evaluate(() => window.answers.length);
    expect(count).toBeGreaterThanOrEqual(60);
    const jumps: unknown[] = [];
    for (let index = 0; index < count; index++)
      jumps.push(...(await page.evaluate((at) => window.growAnswer(window.answers[at] ?? ""), index)));
    expect(jumps).toEqual([]);
  });
}

test("a formula with a label, a reference, lines of one equation or a definition of its own is drawn and jumps nowhere", async ({
  page,
}) => {
  await open(page);
  const answer = [
    "$$\n\\begin{equation}\nE = mc^2\n\\label{eq:energy}\n\\end{equation}\n$$",
    "\\begin{align}\na &= \\frac{b}{c} \\label{eq:a} \\\\\nc &= d \\nonumber\n\\end{align}",
    "$$\n\\begin{multline}\na + b + c \\\\\n+ d + e\n\\end{multline}\n$$",
    "\\[\n\\require{mhchem}\n\\ce{2H2 + O2 -> 2H2O} \\mbox{ by } \\eqref{eq:energy}\n\\]",
    "$$\n\\newcommand{\\R}{\\mathbb{R}}\nf: \\R^n \\to \\R\n$$",
    "The end.",
  ].join("\n\n");
  expect(await page.evaluate((text) => window.growAnswer(text), answer)).toEqual([]);
  await page.evaluate((text) => window.showAnswer(text), answer);
  await expect(page.locator("article [data-tex][data-drawn]")).toHaveCount(5);
});

/** What selecting an answer copies, or its part from the first to the last element that matches. */
async function copied(
  page: Page,
  text: string,
  { type = "text/plain", part }: { type?: string; part?: string } = {},
): Promise<string> {
  await page.evaluate((answer) => window.showAnswer(answer), text);
  await expect(page.locator("article [data-drawn]").last()).toBeVisible();
  // What copies comes with the first touch, without which nothing is selected.
  const copies = page.waitForResponse(/copy-selection/);
  await page.mouse.move(20, 20);
  await (await copies).finished();
  return page.evaluate(
    async ([wanted, selector]) => {
      await new Promise((resolve) => setTimeout(resolve));
      const parts = document.querySelectorAll(selector);
      const [first, last] = [parts[0], parts[parts.length - 1]];
      if (first === undefined || last === undefined) return "nothing to select";
      document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
      const clipboardData = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData(wanted);
    },
    [type, part ?? "article"] as const,
  );
}

/** The elements of copied HTML, without their attributes but for the first number of a list. */
function bareElements(html: string): string {
  return html.replace(/<(\w+)(?: [^>]*?(start="\d+"))?[^>]*>/g, (_, name: string, start?: string) =>
    start === undefined ? `<${name}>` : `<${name} ${start}>`,
  );
}

test("a part of a table is copied as a table, and a part of a list with its numbers", async ({ page }) => {
  await open(page);
  const table = "|A|B|\n|-|-|\n|zero|0|\n|one|$a^2$|\n|two|$b^2$|\n";
  const rows = await copied(page, table, { type: "text/html", part: "article tbody tr:nth-child(n+2) td" });
  expect(bareElements(rows)).toBe(
    "<table><tbody><tr><td>one</td><td>$a^2$</td></tr><tr><td>two</td><td>$b^2$</td></tr></tbody></table>",
  );
  await page.reload();
  const list = "3. three\n4. four $a$\n5. five $b$\n";
  const items = await copied(page, list, { type: "text/html", part: "article li:nth-child(n+2)" });
  expect(bareElements(items)).toBe('<ol start="4"><li>four $a$</li><li>five $b$</li></ol>');
  await page.reload();
  expect(await copied(page, list, { part: "article li:nth-child(n+2)" })).toBe("4. four $a$\n5. five $b$");
});

test("the items of a tight list stand line by line, a footnote's mark in brackets", async ({ page }) => {
  await open(page);
  const text = await copied(page, "- $a$\n- b[^1]\n  - c\n\nEnd.\n\n[^1]: Note.\n");
  expect(text.trim()).toMatch(/^\$a\$\nb\[1\]\nc\n+End\.\n+1\n?\s*Note\.$/);
});

test("selected text is copied without buttons, each formula once as its source, tasks with their state", async ({
  page,
}) => {
  await open(page);
  const text = await copied(
    page,
    "Area $\\pi r^2$.\n\n- [x] done\n- [ ] open\n\n```js\nlet a = 1;\n```\n\n$$\nx = \\frac{1}{2}\n$$\n\nEnd.",
  );
  expect(text.replace(/\n+/g, "\n").trim()).toBe(
    "Area $\\pi r^2$.\n[x] done\n[ ] open\nlet a = 1;\n$$\nx = \\frac{1}{2}\n$$\nEnd.",
  );
});

test("of a long answer the same is copied before and after it is drawn: every construct, in English and Chinese", async ({
  page,
}) => {
  // This page never has time.
  await page.addInitScript(() => Object.defineProperty(window, "requestIdleCallback", { value: () => 0 }));
  await open(page);
  const loaded = page.waitForResponse(/copy-selection/);
  await page.mouse.move(20, 20);
  await (await loaded).finished();
  await page.waitForTimeout(100);
  const outcome = await page.evaluate(async (text) => {
    const copy = () => {
      const article = document.querySelector("article");
      if (article !== null) document.getSelection()?.selectAllChildren(article);
      const clipboardData = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
      return { text: clipboardData.getData("text/plain"), html: clipboardData.getData("text/html") };
    };
    window.showAnswer([text, ...window.answers, ...window.answers, text].join("\n\n"));
    const atOnce = copy();
    const countPlaces = () => document.querySelectorAll("[data-place]").length;
    // They come over several frames; where they do not, the count says so.
    for (let tries = 0; tries < 100 && countPlaces() <= 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const places = countPlaces();
    const before = copy();
    window.dispatchEvent(new Event("beforeprint"));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    window.dispatchEvent(new Event("beforeprint"));
    const after = copy();
    return { atOnce, before, after, places, left: countPlaces() };
  }, `${longLine}\n\n${everyConstruct}`);
  expect(outcome.places).toBeGreaterThan(100);
  expect(outcome.left).toBe(0);
  for (const type of ["text", "html"] as const) {
    const lines = outcome.after[type].split("\n");
    expect(outcome.before[type].split("\n")).toEqual(lines);
    expect(outcome.atOnce[type].split("\n")).toEqual(lines);
  }
  for (const part of [...copiedOfEveryConstruct, longLine]) expect(outcome.before.text).toContain(part);
});

test("a table, code or formula is a stop of the Tab key only while it scrolls; code says its language", async ({
  page,
}) => {
  await open(page);
  const wide = `|${" a long heading |".repeat(20)}\n|${"-|".repeat(20)}\n|${" x |".repeat(20)}`;
  const line = "const value = 1; ".repeat(20);
  await page.evaluate(
    (text) => window.showAnswer(text),
    `|a|\n|-|\n|b|\n\n${wide}\n\n\`\`\`js\nx\n\`\`\`\n\n\`\`\`js\n${line}\n\`\`\`\n\n$$\nx\n$$\n\n$$\n${"a + ".repeat(90)}b\n$$`,
  );
  const regions = page.locator('article [aria-label="Table"], article pre, article [data-display]');
  await expect(regions).toHaveCount(6);
  for (const [index, stop] of [null, "0", null, "0", null, "0"].entries())
    await expect.poll(() => regions.nth(index).getAttribute("tabindex")).toBe(stop);
  await expect(page.getByRole("group", { name: "Code, js" })).toHaveCount(2);
});

test("a tall formula in a line stands on its baseline; a named colour is readable on both grounds", async ({
  page,
}) => {
  await open(page);
  await page.evaluate(() => window.showAnswer("<sub>a</sub>x $\\frac{\\frac{a}{b}}{c} y$ <kbd>k</kbd>"));
  // The letter y of the formula stands where the text around it stands.
  const letter = page.locator("article .katex-html .mathnormal").last();
  const formula = await letter.evaluate((element) => element.getBoundingClientRect().bottom);
  const text = await page.locator("article p").evaluate((paragraph) => {
    const range = document.createRange();
    const node = [...paragraph.childNodes].find((child) => child.nodeType === Node.TEXT_NODE);
    if (node !== undefined) range.selectNode(node);
    return range.getBoundingClientRect().bottom;
  });
  expect(Math.abs(formula - text)).toBeLessThan(8);

  await page.evaluate(() => window.showAnswer("$\\textcolor{blue}{x}$"));
  const colour = () =>
    page
      .locator("article [style*=color]")
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  const lightness = (value: string) => Number(/oklch\(([\d.]+)/.exec(value)?.[1]);
  await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
  await expect.poll(async () => lightness(await colour())).toBeGreaterThan(0.75);
  await page.evaluate(() => document.documentElement.setAttribute("data-theme", "light"));
  await expect.poll(async () => lightness(await colour())).toBeLessThan(0.55);
});

test("no formula is cut at its top or scrolls up and down; a wide part of one in a line scrolls", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  const word = "\\text{averyverylongwordwithoutaspace}".repeat(3);
  await page.evaluate(
    (text) => window.showAnswer(text),
    `$$\nP(\\text{\u75c5}) = \\frac{0.99 \\times 0.01}{0.05 \\times 0.99}\n$$\n\nText $${word}$ end.`,
  );
  const block = page.locator("article [data-display]");
  await expect(block.locator(".mfrac")).toBeVisible();
  const overflow = await block.evaluate((element) => {
    const top = element.getBoundingClientRect().top;
    const glyphs = [...element.querySelectorAll(".katex-html .mord")];
    return {
      above: top - Math.min(...glyphs.map((glyph) => glyph.getBoundingClientRect().top)),
      below: element.scrollHeight - element.clientHeight,
    };
  });
  expect(overflow.above).toBeLessThanOrEqual(0);
  expect(overflow.below).toBe(0);
  await expect(page.locator("article [data-wide]")).toHaveAttribute("tabindex", "0");
  expect(await page.evaluate(() => document.querySelector("main")?.scrollWidth)).toBeLessThanOrEqual(390);
});

test("what is printed is all there: the far blocks of an answer and the far rows of its tables", async ({
  page,
}) => {
  await open(page);
  const rows = 600;
  await page.evaluate(
    (text) => window.showAnswer(text),
    `Half of it is $\\frac{1}{2}$.\n\n${`${"A paragraph of some words. ".repeat(200)}\n\n`.repeat(8)}` +
      `|a|b|\n|-|-|\n${Array.from({ length: rows }, (_, row) => `|${row}|${"words ".repeat(20)}|\n`).join("")}\n` +
      Array.from({ length: 300 }, (_, row) => `- $\\frac{${row}}{2}$\n`).join(""),
  );
  await expect(page.locator("article .mfrac").first()).toBeVisible();
  await expect.poll(() => page.locator("article table").count()).toBe(1);
  expect(await page.locator("article tbody td").count()).toBeLessThan(2 * rows);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  expect(await page.locator("article tbody td").count()).toBe(2 * rows);
  expect(await page.locator("article .mfrac").count()).toBe(301);
  await page.emulateMedia({ media: "print" });
  const frame = page.locator("article [aria-label=Table]");
  expect(await frame.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(
    1,
  );
});

test("on paper wide tables and formulas end at the edge of the page, and a done task has its tick", async ({
  page,
}) => {
  await open(page);
  const sum = Array.from({ length: 24 }, (_, index) => `a_{${index}}`).join(" + ");
  const cells = (count: number, words: string) => `|${`${words}|`.repeat(count)}\n`;
  const table = (count: number) =>
    cells(count, "Heading") + cells(count, "-") + cells(count, "one measured value").repeat(2);
  await page.evaluate(
    (text) => window.showAnswer(text),
    `$$\n${sum}\n$$\n\n${table(5)}\n${table(8)}\n${table(14)}\n- [x] done\n- [ ] open\n`,
  );
  await expect(page.locator("article .katex-display .mord").first()).toBeVisible();
  // A4 between its margins.
  await page.setViewportSize({ width: 658, height: 900 });
  await page.emulateMedia({ media: "print" });
  const column = await page.locator("article").evaluate((article) => article.getBoundingClientRect().right);
  for (const part of ["article th", "article td", "article .katex-display .mord"]) {
    const rights = await page
      .locator(part)
      .evaluateAll((all) => all.map((each) => Math.floor(each.getBoundingClientRect().right)));
    expect(Math.max(...rights), part).toBeLessThanOrEqual(Math.ceil(column));
  }
  // Words of a head are whole where there is room for them.
  const heads = page.locator("article table").nth(1).locator("th");
  expect(await heads.first().evaluate((head) => head.getBoundingClientRect().height)).toBeLessThan(50);
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCSS("print-color-adjust", "exact");
});

test("a line of 200,000 letters is shown whole, a part in each frame", async ({ page }) => {
  await open(page);
  const line = "服务器把每一个回答都记在日志里，".repeat(12_500);
  const atFirst = await page.evaluate((text) => {
    window.showAnswer(text);
    return document.querySelector("article p")?.textContent?.length ?? 0;
  }, line);
  expect(atFirst).toBeLessThan(line.length / 2);
  await expect
    .poll(() => page.evaluate(() => document.querySelector("article p")?.textContent?.length))
    .toBe(line.length);
});

test("on a phone the presses of a block are icons that keep their names; cells stand at their table's side", async ({
  page,
}) => {
  await open(page);
  await page.evaluate(() =>
    window.showAnswer("```js\nx\n```\n\n|\u0627\u0633\u0645|\u0642|\n|-|-|\n|\u0623|1|"),
  );
  const copy = page.getByRole("button", { name: "Copy" });
  await expect(copy.locator("svg")).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(copy.locator("svg")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download" }).locator("svg")).toBeVisible();
  const side = (cell: string) =>
    page
      .locator(cell)
      .last()
      .evaluate((element) => getComputedStyle(element).textAlign);
  expect([await side("article th"), await side("article td")]).toEqual(["right", "right"]);
});

test("an item that reads the other way has its sign within the page, whichever way its list reads", async ({
  page,
}) => {
  await open(page);
  const items = [
    "- אחת\n- two",
    "- one\n- שתיים",
    "1. אחת\n1. two",
    "1000. one\n1. שתיים",
    "- [ ] אחת\n- [ ] two",
  ];
  await page.evaluate((text) => window.showAnswer(text), items.join("\n\nso\n\n"));
  await expect(page.locator("article li")).toHaveCount(10);
  const rooms = await page.locator("article li").evaluateAll((all) =>
    all.map((item) => {
      const inside = item.getBoundingClientRect();
      const column = item.closest("article")?.getBoundingClientRect() ?? inside;
      const readsLeft = getComputedStyle(item).direction === "rtl";
      return readsLeft ? column.right - inside.right : inside.left - column.left;
    }),
  );
  expect(Math.min(...rooms)).toBeGreaterThanOrEqual(24);
});
