import { brokenConnection } from "../support/checks.ts";
import type { Locator } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

function isInView(line: Locator): Promise<boolean> {
  return line.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top > 100 && bottom < window.innerHeight - 150;
  });
}

test("a reply that runs and one that ended unseen are marked in the list; the place one was reading is kept over switching and reload", async ({
  chat,
  sidebar,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const lines = Array.from({ length: 80 }, (_, index) => `Line ${index + 1} of a long reply.`);
  upstream.script({ match: { user: question }, answer: lines.join("\n\n"), times: 1 });
  await chat.send(question);
  await chat.finished();
  const { conversation, page } = chat;
  await expect(chat.lastReply).toContainText("Line 80 ");
  const row = sidebar.navigation.getByRole("listitem").first();
  const first = new URL(page.url()).pathname;
  const line = chat.lastReply.getByText("Line 30 of");
  await line.scrollIntoViewIfNeeded();
  await expect(line).toBeInViewport();
  const top = await line.evaluate((element) => element.getBoundingClientRect().top);
  const movedBy = async () =>
    Math.abs((await line.evaluate((element) => element.getBoundingClientRect().top)) - top);

  upstream.script({
    match: { user: "Second" },
    answer: "The second answer is here.",
    fault: { at: 8, kind: "stall" },
  });
  await page.keyboard.press("ControlOrMeta+j");
  await chat.send("Second question");
  await expect(chat.lastReply).toContainText("The seco");
  await sidebar.navigation.locator(`a[href="${first}"]`).click();
  await expect(line).toBeInViewport();
  await expect.poll(movedBy).toBeLessThan(3);
  await expect(row.getByRole("img", { name: chat.text("sidebar.replyRunning") })).toBeVisible();
  upstream.release();
  await expect(row.getByRole("img", { name: chat.text("sidebar.replyUnseen") })).toBeVisible();

  await page.reload();
  await expect(line).toBeInViewport();
  await expect.poll(movedBy).toBeLessThan(3);
  await conversation.hover();
  await page.mouse.wheel(0, 20_000);
  await expect(chat.lastReply.getByText("Line 80 ")).toBeInViewport();
  await row.getByRole("link").click();
  await expect(chat.lastReply).toContainText("The second answer is here.");
  await expect(row.getByRole("img")).toHaveCount(0);
});

test("on a narrow page a line of a long answer keeps its place over switching and reload, whatever heights the page took for what it had not drawn", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 4 });
  const words = "of text with words, 一些中文 and **bold**, long enough to wrap on a phone once or twice.";
  const answer = Array.from({ length: 26 }, (_, index) => `Paragraph ${index + 1} ${words}`).join("\n\n");
  upstream.script({ match: { user: `${question}, long` }, answer });
  const first = await account.ask(`${question}, long`);
  for (const turn of ["second", "third"])
    await account.ask(`${question}, long, ${turn}`, { sessionId: first });
  const other = await account.ask(`${question}, other`);
  const page = await openAs(account, { path: `/a/chat/s/${first}` });
  const chat = new ChatPage(page);
  await expect(chat.replies).toHaveCount(3);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const line = chat.replies.nth(1).getByText("Paragraph 23 ");
  await expect(chat.lastReply.getByText("Paragraph 26 ")).toBeInViewport();
  await chat.conversation.hover();
  for (let step = 0; step < 60 && !(await isInView(line)); step += 1) {
    await page.mouse.wheel(0, -300);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  // What is drawn above settles, and the place is kept.
  const kept = () => page.evaluate(() => localStorage.getItem("plumb.places"));
  await expect.poll(kept).toContain(first);
  await page.waitForLoadState("networkidle");
  const topOf = () => line.evaluate((element) => element.getBoundingClientRect().top);
  const top = await topOf();
  const open = async (id: string) => {
    await chat.button("header.openSidebar").click();
    await page.getByRole("dialog").locator(`a[href$="${id}"]`).click();
    await expect(page).toHaveURL(new RegExp(id));
  };
  await open(other);
  await expect(chat.questions).toHaveText(`${question}, other`);
  await open(first);
  await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(3);
  await page.reload();
  await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(3);
});

test("a text below a formula that is cut by the upper edge keeps its place over a reload", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const words =
    "of what was said, with enough words to fill a line or two of the screen, and then a few more.";
  const turns = Array.from({ length: 60 }, (_, index) => {
    const rows = `a & b \\\\ c & d \\\\ e & f \\\\ g & ${index}`;
    return `Paragraph ${index + 1} ${words}\n\n$$\n\\begin{pmatrix} ${rows} \\end{pmatrix}\n$$`;
  });
  upstream.script({ match: { user: `${question}, long` }, answer: turns.join("\n\n") });
  const first = await account.ask(question);
  await account.ask(`${question}, long`, { sessionId: first });
  const page = await openAs(account, { path: `/a/chat/s/${first}` });
  const chat = new ChatPage(page);
  const line = chat.lastReply.getByText("Paragraph 31 ");
  const topOf = () => line.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const kept = () => page.evaluate(() => localStorage.getItem("plumb.places"));
  await expect(chat.lastReply.getByText("Paragraph 60 ")).toBeInViewport();
  // Its part of the answer is drawn as it comes near, in place of what stood for it.
  await expect(() => line.scrollIntoViewIfNeeded({ timeout: 2000 })).toPass();
  // Of the formula above it 14 px are left under the edge; again, as what is drawn above settles.
  for (let tries = 0; tries < 3; tries += 1) {
    const edge = (await chat.conversation.boundingBox())?.y ?? 0;
    const formula = line.locator("xpath=preceding::*[contains(@class, 'katex-display')][1]");
    const end = await formula.evaluate((element) => element.getBoundingClientRect().bottom);
    await chat.conversation.evaluate((scroller, by) => scroller.scrollBy(0, by), end - edge - 14);
    await page.waitForLoadState("networkidle");
    await expect.poll(kept).toContain(first);
  }
  const keptBefore = await kept();
  const top = await topOf();
  await page.reload();
  await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(3);
  // It stays, as the formulas above come.
  await page.waitForLoadState("networkidle");
  await expect(chat.lastReply.locator(".katex-display")).not.toHaveCount(0);
  expect(Math.abs((await topOf()) - top), `kept as ${keptBefore}`).toBeLessThan(3);
});

test("a press on a chat that still loads does not lose the place one was reading", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const lines = Array.from({ length: 80 }, (_, index) => `Line ${index + 1} of a long reply.`);
  upstream.script({ match: { user: question }, answer: lines.join("\n\n") });
  const id = await account.ask(question);
  const page = await openAs(account);
  // Without the copy of an earlier visit the chat waits for the server.
  await page.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
  await page.goto(`/a/chat/s/${id}`);
  const chat = new ChatPage(page);
  await expect(chat.lastReply.getByText("Line 80 ")).toBeInViewport();
  const line = chat.lastReply.getByText("Line 30 of");
  await line.scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("plumb.places"))).toContain(id);
  const topOf = () => line.evaluate((element) => element.getBoundingClientRect().top);
  const top = await topOf();

  const held = Promise.withResolvers<void>();
  await page.route("**/api/v0/chat/history_messages*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByText(chat.text("conversation.loading"))).toBeVisible();
  await chat.conversation.click();
  await page.mouse.wheel(0, -100);
  // A place is held for 5 s, but not before there is something to hold.
  await page.waitForTimeout(5200);
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ ...size, height: size.height - 50 });
  await page.setViewportSize(size);
  held.resolve();
  await expect(line).toBeInViewport();
  await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(3);
});

test("the history of a chat that is pressed is asked for before its screen is drawn", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const id = await account.ask(question);
  const page = await openAs(account);
  const row = page.locator(`[data-session="${id}"] a`);
  await expect(row).toBeVisible();
  const drawnBefore = await row.evaluate(
    (link: HTMLElement) =>
      new Promise<boolean>((resolve) => {
        const send = window.fetch.bind(window);
        window.fetch = (input, init) => {
          const { url } = new Request(input);
          if (url.includes("/history_messages")) resolve(link.getAttribute("aria-current") === "page");
          return send(input, init);
        };
        link.click();
      }),
  );
  expect(drawnBefore).toBe(false);
  await expect(page).toHaveURL(new RegExp(id));
  await expect(new ChatPage(page).lastReply).toBeVisible();
});

test("without a network the page says so, and loads what failed when it is back", async ({
  chat,
  account,
  openAs,
  consoleWatch,
  upstream,
  calls,
  question,
}) => {
  consoleWatch.allow(brokenConnection);
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "It is answered in the end." });
  await chat.send(question);
  await chat.finished();

  const path = new URL(chat.page.url()).pathname;
  const other = await openAs(account, { path: "/" });
  await expect(other.getByRole("navigation").getByRole("listitem").first()).toBeVisible();
  // The code that shows a chat comes in a quiet moment; without it nothing could say what failed.
  await other.waitForLoadState("networkidle");
  await other.context().setOffline(true);
  await expect(other.getByText(chat.text("composer.offline"))).toBeVisible();
  await other.locator(`a[href="${path}"]`).click();
  await expect(other.getByText(chat.text("conversation.loadFailed"))).toBeVisible();
  const button = other.locator("button[data-send]");
  await expect(button).toHaveAccessibleName(chat.text("composer.reload"));
  await other.context().setOffline(false);
  await expect(other.getByText("It is answered in the end.")).toBeVisible();
  await expect(other.getByText(chat.text("composer.offline"))).toBeHidden();
  await expect(button).toHaveAttribute("data-send", "blocked");
});
