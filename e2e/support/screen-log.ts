// Every state of the newest answer that a reader saw, recorded in the page itself so that none is missed.
import { expect, type Page } from "@playwright/test";
import { plain } from "./pages/chat-page.ts";

declare global {
  interface Window {
    seenAnswers?: string[];
  }
}

/** Notes each new state of the newest answer from the next load of the page on. */
export async function logAnswers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    window.seenAnswers = seen;
    const read = (): void => {
      const article = [...document.querySelectorAll("article[aria-busy]")].at(-1);
      if (article === undefined) return;
      const text = [...article.querySelectorAll("p")]
        .filter((paragraph) => paragraph.closest("section") === null && paragraph.parentElement !== article)
        .map((paragraph) => paragraph.textContent)
        .join("\n\n");
      if (seen.at(-1) !== text) seen.push(text);
    };
    new MutationObserver(read).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Every state seen since the last load of the page. */
export async function seenAnswers(page: Page): Promise<string[]> {
  return page.evaluate(() => window.seenAnswers ?? []);
}

/** The answer only ever grew, was always a beginning of the whole, and never less than `atLeast`. */
export function expectOnlyGrowth(seen: string[], whole: string, atLeast = ""): void {
  const full = plain(whole);
  let known = plain(atLeast).length;
  // Before the history is here, a page that was just loaded shows nothing yet.
  const states = seen.map(plain);
  const start = states.findIndex((state) => state !== "");
  expect(start, "the page showed the answer").toBeGreaterThanOrEqual(0);
  for (const state of states.slice(start)) {
    expect(full.startsWith(state), `shows a beginning of the reply: …${state.slice(-60)}`).toBe(true);
    expect(state.length, `never shorter: …${state.slice(-60)}`).toBeGreaterThanOrEqual(known);
    known = state.length;
  }
}
