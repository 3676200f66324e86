import type { Locator } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { givenFiles } from "../support/given-files.ts";
import { expect } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { FilesPart } from "../support/pages/files-part.ts";
import { searchTest as test } from "../support/search-journey.ts";

const pages = [
  {
    url: "https://weather.example/shanghai",
    title:
      "Shanghai: rain from the afternoon on, with a long title that takes more than one line of the panel",
    content: "Heavy rain is expected in Shanghai from 3 p.m. on. The port closes for small boats.",
    publishedDate: "2026-03-05T06:00:00",
  },
  {
    url: "https://news.example/雨",
    title: "上海发布暴雨预警",
    content: "上海中心气象台今日发布暴雨黄色预警信号。",
  },
  { url: "https://harbour.example/", title: "Harbour notes" },
];

const searchToggle = (chat: ChatPage): Locator => chat.button("composer.search");
const card = (chat: ChatPage, words: string): Locator => chat.lastReply.getByRole("button", { name: words });

test("a question is looked up: the card, the panel of results, citations with their page, and copied links [SRCH-001] [SRCH-002] [SRCH-011]", async ({
  web,
  openAs,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  web.search.answer = (query) => (query === "上海 天气" ? pages : pages.slice(0, 2));
  web.search.delay = (query) => (query === "上海 天气" ? held : 0);
  upstream.script({
    match: { kind: "plan", user: question },
    answer: '["rain shanghai", "上海 天气"]',
  });
  upstream.script({
    match: { kind: "answer", user: question },
    answer:
      "It rains from the afternoon on [citation:1][citation:2], nobody knows more [citation:9], and then 【citation:1, 3】.",
  });
  const account = await ApiAccount.signUp(web.stack);
  const chat = new ChatPage(await openAs(account, { origin: web.stack.origin }));
  const { page } = chat;

  await searchToggle(chat).click();
  await expect(searchToggle(chat)).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await expect(searchToggle(chat)).toHaveAttribute("aria-pressed", "true");

  await chat.send(question);
  // What is found while the panel shows the search joins it.
  const panel = chat.sidePanel.filter({ hasText: chat.text("search.results") });
  const results = panel.getByRole("listitem").getByRole("link");
  await card(chat, chat.text("search.running")).click();
  await expect(results).toHaveCount(2);
  goOn();
  await expect(results).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await chat.finished();
  expect(web.search.asked.slice(-2).map(({ query }) => query)).toEqual(["rain shanghai", "上海 天气"]);
  const found = card(chat, chat.text("search.found_other", { count: 3 }));
  await expect(found).toBeVisible();

  const cited = chat.lastReply.getByRole("link", { name: /Source \d/ });
  await expect(cited).toHaveText(["1", "2", "1", "3"]);
  await expect(chat.lastReply.getByText(/nobody knows more, and then/)).toBeVisible();
  await cited.first().focus();
  await expect(page.getByRole("tooltip")).toContainText("weather.example · 2026/03/05");
  await expectAccessible(page, "a citation");

  await found.click();
  await expect(results).toHaveCount(3);
  await expect(results.first()).toHaveAttribute("href", "https://weather.example/shanghai");
  await expect(panel.getByText("上海 天气", { exact: true })).toBeVisible();
  await expectAccessible(page, "results of a search");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(found).toBeFocused();

  const copied = await page.evaluate(() => {
    const reply = [...document.querySelectorAll("article")].at(-1);
    const [paragraph] = [...(reply?.querySelectorAll("p") ?? [])].filter((one) => one.querySelector("a"));
    document.getSelection()?.selectAllChildren(paragraph ?? document.body);
    const event = new ClipboardEvent("copy", {
      clipboardData: new DataTransfer(),
      bubbles: true,
      cancelable: true,
    });
    document.dispatchEvent(event);
    return {
      plain: event.clipboardData?.getData("text/plain"),
      html: event.clipboardData?.getData("text/html"),
    };
  });
  expect(copied.plain).toContain("[1](https://weather.example/shanghai)");
  expect(copied.html).toMatch(/<a [^>]*href="https:\/\/weather\.example\/shanghai"[^>]*>\[1\]<\/a>/);
});

test.describe("on a phone in Chinese, at night", () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });

  test("a search that fails says so and is answered without; search goes neither with thinking nor with files [SRCH-003] [SRCH-004] [ENG-035]", async ({
    web,
    openAs,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 2 });
    upstream.script({
      match: { kind: "answer", user: question },
      answer: "没有查到，凭已有知识回答。",
    });
    const account = await ApiAccount.signUp(web.stack);
    const preferences = {
      locale: "zh_CN",
      theme: "dark",
      thinkingEnabled: true,
    };
    const chat = new ChatPage(await openAs(account, { origin: web.stack.origin, preferences }), "zh_CN");
    const { page } = chat;
    const thinking = chat.page.getByRole("button", {
      name: chat.text("composer.thinking"),
    });
    await expect(thinking).toHaveAttribute("aria-pressed", "true");
    await searchToggle(chat).tap();
    await expect(searchToggle(chat)).toHaveAttribute("aria-pressed", "true");
    await expect(thinking).toHaveAttribute("aria-pressed", "false");

    web.search.answer = () => null;
    await chat.composer.fill(question);
    await chat.sendButton.tap();
    await expect(page.getByText("联网搜索失败，将直接作答。")).toBeVisible();
    await chat.finished();
    await expect(chat.lastReply.getByText(chat.text("search.failed"))).toBeVisible();

    web.search.answer = () => pages;
    await chat.composer.fill(question);
    await chat.sendButton.tap();
    await expect(chat.replies).toHaveCount(2);
    await chat.finished();
    await card(chat, chat.text("search.found_other", { count: 3 })).tap();
    const panel = page.getByRole("dialog", {
      name: chat.text("search.results"),
    });
    await expect(panel.getByRole("link")).toHaveCount(3);
    await expectAccessible(page, "results of a search on a phone");
    await panel.getByRole("button", { name: chat.text("common.close") }).tap();
    await expect(panel).toHaveCount(0);

    const said = page.getByRole("status");
    await chat.button("composer.attach").tap({ force: true });
    await expect(said.getByText(chat.text("attachWhileSearch"))).toBeVisible();
    await searchToggle(chat).tap();
    await expect(searchToggle(chat)).toHaveAttribute("aria-pressed", "false");
    const files = new FilesPart(chat);
    const { notes } = givenFiles;
    await files.input.setInputFiles(notes);
    await files.ready(notes.name);
    for (const toggle of [searchToggle(chat), thinking])
      await expect(toggle).toHaveAttribute("aria-disabled", "true");
    // No tooltip is found by a finger: the tap itself is answered.
    await searchToggle(chat).tap({ force: true });
    await expect(said.getByText(chat.text("searchOffWithFiles"))).toBeVisible();
    await thinking.tap({ force: true });
    await expect(said.getByText(chat.text("thinkingOffWithFiles"))).toBeVisible();
    await files
      .tile(notes.name)
      .getByRole("button", { name: chat.text("files.remove", { name: notes.name }) })
      .tap();
    await expect(searchToggle(chat)).not.toHaveAttribute("aria-disabled");
    await expect(searchToggle(chat)).toHaveAttribute("aria-pressed", "false");
  });
});
