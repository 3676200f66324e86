import type { Page } from "@playwright/test";
import {
  answerHostile,
  forbiddenOn,
  listTitles,
  putRaw,
  tryingPage,
  watchScripts,
  withoutPolicy,
} from "../support/hostile-page.ts";
import { hostileTexts } from "../support/hostile-texts.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { startPictureHost } from "../support/picture-host.ts";

/** What is far from the screen is made for paper alone: now. */
const makeAll = (page: Page): Promise<void> =>
  page.evaluate(() => void window.dispatchEvent(new Event("beforeprint")));

test("hostile texts run nothing and ask for nothing by their treatment alone, without the page's policy of content [REND-012]", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
  consoleWatch,
}) => {
  // Hundreds of texts in each part of the page: a limit for what hangs, on a busy machine too.
  test.setTimeout(240_000);
  calls.expect({ answer: 1 });
  const outside = await startPictureHost();
  const { origin } = new URL(outside.address);
  const texts = hostileTexts(origin);
  expect(texts.markdown.length).toBeGreaterThan(300);
  const hostile = texts.markdown.join("\n\n");
  const [title = ""] = texts.titles;
  upstream.script(
    {
      match: { user: question, kind: "answer" },
      reasoning: hostile,
      answer: `${hostile}\n\n\`\`\`html\n${tryingPage(texts)}\n\`\`\`\n\nEnd of the first answer.`,
      chunkChars: 3000,
      paceMs: 1,
    },
    { match: { user: question, kind: "title" }, answer: title },
  );

  const page = await openAs(account);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(origin)) asked.push(request.url());
  });
  const ran = await watchScripts(page);
  await listTitles(page, [...texts.titles, ...texts.markdown]);
  await withoutPolicy(page);
  await page.reload();
  const chat = new ChatPage(page);

  // Titles in the list, question, provisional title, thought, answer, title, and that of the page, as they come.
  await chat.send(`${texts.html[0]} ${question}\n\n${hostile.replaceAll("\0", "")}`);
  await chat.finished();
  await expect.poll(async () => (await page.title()).startsWith(`${title} - `)).toBe(true);
  const thought = chat.lastReply.locator("section button[aria-expanded]");
  if ((await thought.getAttribute("aria-expanded")) === "false") await thought.click();
  await makeAll(page);
  const diagram = chat.lastReply
    .getByRole("img", { name: chat.text("markdown.diagram") })
    .or(chat.lastReply.getByText(chat.text("markdown.diagramFailed")))
    .or(chat.lastReply.getByText(chat.text("markdown.diagramOutside")));
  // The thought has them, too.
  await expect(diagram).toHaveCount(texts.diagrams * 2);
  expect.soft(await forbiddenOn(page)).toEqual([]);

  // Search, citations, link cards, tips, toasts and a hint from a server that lets everything through.
  await answerHostile(page, texts, origin);
  await chat.send("And again?");
  await expect(chat.lastReply.getByText("End of the second answer.")).toBeVisible({ timeout: 150_000 });
  await expect(page.getByRole("alert").first()).toBeVisible();
  await makeAll(page);
  expect.soft(await forbiddenOn(page)).toEqual([]);
  // Only the sources on the web can be followed.
  const sources = await chat.lastReply.locator("a[data-cites]").count();
  expect.soft(sources).toBe(texts.markdown.length - texts.scriptAddresses.length - texts.html.length);

  expect.soft(asked).toEqual([]);

  // The one place where such things may run: not on our page, and without a way out.
  consoleWatch.allow(/./);
  const run = chat.replies
    .first()
    .getByRole("button", { name: chat.text("markdown.run"), exact: true })
    .last();
  await run.press("Enter");
  await expect(page.frameLocator("[role=complementary] iframe").getByText("all tried")).toBeVisible();
  await expect.poll(() => ran.get("/static/run.html")?.size ?? 0).toBeGreaterThan(10);
  expect.soft([...ran.keys()], "where script ran").toEqual(["/static/run.html"]);
  expect.soft(outside.requests).toEqual([]);
  expect.soft(await page.title()).toContain(title);

  // The attacks are real: as raw HTML they run here.
  await putRaw(page, ["article"], { ...texts, scriptAddresses: [] });
  await expect.poll(() => ran.get("our page")?.size ?? 0).toBeGreaterThan(10);
  await outside.close();
  // What is left of such a page is no screen of ours.
  await page.close();
});

test("hostile texts as raw HTML in any part of the page run nothing and load nothing, by its policy of content alone", async ({
  chat,
  upstream,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  // Each refusal is said aloud.
  consoleWatch.allow(/./);
  const outside = await startPictureHost();
  const texts = hostileTexts(new URL(outside.address).origin);
  const { page } = chat;
  upstream.script({
    match: { user: question, kind: "answer" },
    reasoning: "A thought.",
    answer: "An answer.\n\n```html\n<p>a page</p>\n```\n\nIts end.",
  });
  let refused = 0;
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) refused += 1;
  });
  const ran = await watchScripts(page);
  await page.reload();
  await chat.send(question);
  await chat.finished();
  await chat.lastReply.getByRole("button", { name: chat.text("markdown.run"), exact: true }).click();
  const parts = [
    "article",
    "article[aria-busy]",
    "main header",
    "nav",
    "[role=complementary]",
    "main h1",
    "body",
  ];
  await expect(page.locator("[role=complementary] iframe")).toBeVisible();
  expect(await putRaw(page, parts, texts)).toBe(texts.html.length * parts.length);
  expect([...ran]).toEqual([]);
  expect(outside.requests).toEqual([]);
  expect(refused).toBeGreaterThan(texts.html.length * parts.length);
  await outside.close();
  await page.close();
});
