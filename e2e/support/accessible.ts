// Not one violation of axe's rules on a screen, in both themes.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import axe from "axe-core";

/** What these judge is another thing in each theme; all others judge parts and sizes, which are the same in both. */
const rulesOfColor = ["color-contrast", "link-in-text-block"];

interface Screen {
  /** What it is made of: the same parts in other numbers and with other words are the same screen to axe. */
  parts: string;
  /** Which of its elements show, in their order. */
  shown: string;
}

function screenOf(page: Page): Promise<Screen> {
  return page.evaluate(() => {
    const states = [
      "role",
      "type",
      "aria-expanded",
      "aria-pressed",
      "aria-current",
      "aria-invalid",
      "aria-disabled",
    ];
    const elements = [...document.querySelectorAll("body *")];
    const parts = elements.map((element) => {
      const state = states.map((name) => element.getAttribute(name)).join();
      return `${element.tagName}.${element.getAttribute("class") ?? ""} ${state}`;
    });
    return {
      parts: `${window.innerWidth} ${[...new Set(parts)].sort().join("|")}`,
      shown: elements.map((element) => (element.checkVisibility() ? 1 : 0)).join(""),
    };
  });
}

/** The colours of the other theme fade in; axe would judge what is between the two. Endless animations are not waited for. */
async function colorsAreThere(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Transitions begin with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const fades = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // One that is cancelled has ended too.
    await Promise.allSettled(fades.map((fade) => fade.finished));
  });
}

/** Axe asks the frames of the page's own origin by itself, where they have it. */
async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const there = frame.evaluate("window.axe !== undefined").then(async (has) => {
      if (has !== true) await frame.evaluate(axe.source);
    });
    // A frame that goes meanwhile is no part of the screen.
    await (frame === page.mainFrame() ? there : there.catch(() => undefined));
  }
}

/** What is wrong by these rules, or by all. */
function violations(page: Page, rules: string[] | null): Promise<unknown[]> {
  return page.evaluate(async (only) => {
    const options: axe.RunOptions = { resultTypes: ["violations"] };
    if (only !== null) options.runOnly = { type: "rule", values: only };
    const found = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
    }));
  }, rules);
}

/** The mark of a screen that has passed. A run begins with an empty folder, and all of its workers share it. */
function markOf(parts: string): string {
  const { name, outputDir } = test.info().project;
  const id = createHash("sha256").update(`${name} ${parts}`).digest("hex");
  const folder = join(outputDir, ".accessible");
  mkdirSync(folder, { recursive: true });
  return join(folder, id);
}

/** Not one violation of axe's rules, in both themes. Screens made of the same parts are looked at once per run. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const first = await screenOf(page);
  const mark = markOf(first.parts);
  if (existsSync(mark)) return;
  await page.emulateMedia({ colorScheme: "dark" });
  await colorsAreThere(page);
  await bringAxe(page);
  const dark = await screenOf(page);
  expect(await violations(page, null), `axe on ${screen}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await colorsAreThere(page);
  const light = await screenOf(page);
  const same = light.parts === dark.parts && light.shown === dark.shown;
  expect(await violations(page, same ? rulesOfColor : null), `axe on ${screen}, light`).toEqual([]);
  writeFileSync(mark, "");
}
