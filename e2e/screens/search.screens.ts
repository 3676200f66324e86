// The web search: its toggle, what its card says from the first moment to the last, the results, and what is cited.
import type { Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { givenFiles } from "../support/given-files.ts";
import { expect } from "../support/journey.ts";
import { FilesPart } from "../support/pages/files-part.ts";
import type { ScriptedPage } from "../support/scripted-searxng.ts";
import { searchTest as test } from "../support/search-journey.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

const long = "https://www.harbour-authority.example/notices/2026/11/small-craft/";
const asked = {
  en_US: {
    question: "Is it safe to sail from Lyme Regis this weekend?",
    queries: ["Lyme Bay weekend inshore forecast", "Lyme Regis harbour notices small craft"],
    answer: [
      "**Saturday is fine, Sunday is not.** The wind is south-westerly 3 to 4 on Saturday [citation:1], and rises to 7 in the night to Sunday [citation:2, 3].",
      "- The harbour closes for small craft on Sunday from 06:00 on [citation:4][citation:5].\n- Low water is at 14:12, with less than a metre at the bar [citation:6].",
      "| Day | Wind | Sea |\n|---|---|---|\n| Saturday | SW 3–4 [citation:1] | slight |\n| Sunday | SW 6–7 [citation:2] | rough [citation:12] |",
    ].join("\n\n"),
    pages: [
      [
        "https://weather.example/lyme-bay",
        "Inshore waters: Lyme Bay and the Fleet, outlook to Sunday evening",
        3,
      ],
      ["https://sailing.example/w", "Weekend wind", 1],
      [
        `${long}?a=1`,
        "Gale warning for sea areas Portland and Plymouth with a title that goes on for more than the two lines it has in the panel",
        0,
      ],
      [`${long}77`, "Notice to mariners 77: closure of the inner basin", 12],
      ["https://lymeregis.example/news/harbour", "", 0],
      ["https://tides.example/lyme-regis", "Tide times for Lyme Regis", 0],
    ] as const,
    snippet:
      "South-westerly 3 or 4 at first, increasing 6 or 7 later, perhaps gale 8 near the headlands. Sea state slight or moderate, becoming rough. Showers, then rain; visibility good, occasionally poor.",
  },
  zh_CN: {
    question: "这个周末适合从舟山出海吗？",
    queries: ["舟山 周末 海洋天气预报", "舟山港 小型船舶 停航通知"],
    answer: [
      "**周六可以，周日不建议出海。**周六西南风三到四级[citation:1]，入夜后增强到七级【citation:2、3】。",
      "- 周日六点起，内港对小型船舶关闭[citation:4][citation:5]。\n- 低潮在十四点十二分，航道最浅处不足一米[citation:6]。",
      "| 日期 | 风力 | 海况 |\n|---|---|---|\n| 周六 | 西南三到四级[citation:1] | 轻浪 |\n| 周日 | 西南六到七级[citation:2] | 大浪[citation:12] |",
    ].join("\n\n"),
    pages: [
      ["https://weather.example/zhoushan", "舟山近海天气预报：周末风力逐渐增强，周日有大到暴雨", 3],
      ["https://sailing.example/w", "周末风力", 1],
      [
        `${long}?a=1`,
        "浙江省气象台发布海上大风蓝色预警信号，并提醒海上作业船舶注意防范，标题很长很长，超过面板里的两行",
        0,
      ],
      [`${long}77`, "航行通告第七十七号：内港临时关闭", 12],
      ["https://zhoushan.example/新闻/港口", "", 0],
      ["https://tides.example/zhoushan", "舟山潮汐表", 0],
    ] as const,
    snippet:
      "西南风三到四级，后逐渐增强到六到七级，近岬角处阵风可达八级。海浪由小浪转为大浪，有阵雨，能见度良好，间或较差。",
  },
};
const mark = (hue: number): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="hsl(${hue} 60% 45%)"/><circle cx="8" cy="8" r="4" fill="#fff"/></svg>`)}`;

/** The server of these pictures can fetch no marks of sites: the page is given some. */
async function markSites(page: Page): Promise<void> {
  await page.route("**/chat/history_messages*", async (route) => {
    const response = await route.fetch();
    let count = 0;
    const body = (await response.text()).replaceAll('"site_icon":null', () => {
      count += 1;
      return count % 3 === 0 ? '"site_icon":null' : `"site_icon":${JSON.stringify(mark(count * 67))}`;
    });
    await route.fulfill({ response, body });
  });
}

everyLook((look) => {
  const content = asked[look.locale];
  const pages: readonly ScriptedPage[] = content.pages.map(([url, title, day], index) => ({
    url,
    title,
    ...(index === 1 ? {} : { content: content.snippet }),
    ...(day === 0 ? {} : { publishedDate: `2026-03-${String(day).padStart(2, "0")}T06:00:00` }),
  }));

  test("search", async ({ web, openAs, upstream, calls, consoleWatch }) => {
    calls.expect({ answer: 4 });
    consoleWatch.allow(/net::ERR_/);
    const album = new Album(look, "search");
    const account = await ApiAccount.signUp(web.stack);
    const preferences = { ...preferencesOf(look), searchEnabled: true };
    const page = await openAs(account, { origin: web.stack.origin, preferences });
    const chat = new Screen(page, look);
    const files = new FilesPart(chat);
    const toggle = chat.button("composer.search");
    const card = (key: string, params?: Record<string, number>) =>
      chat.lastReply.getByText(chat.text(key, params), { exact: true });
    web.search.delay = () => 0;

    await expect(toggle).toHaveAttribute("aria-pressed", "true");
    // A phone has no tooltips: a tap is answered.
    if (look.phone) {
      await chat.button("composer.attach").tap({ force: true });
      await expect(page.getByRole("status").getByText(chat.text("attachWhileSearch"))).toBeVisible();
    } else {
      await chat.button("composer.attach").hover();
      await expect(page.getByRole("tooltip")).toHaveText(chat.text("attachWhileSearch"));
    }
    await album.shoot(page, "toggle-on");

    upstream.script({ match: { kind: "plan", user: content.question }, times: 1, firstChunkMs: 60_000 });
    await chat.send(content.question);
    await expect(card("search.planning")).toBeVisible();
    await album.shoot(page, "planning");
    await chat.sendButton.click();
    await expect(card("search.interrupted")).toBeVisible();
    await chat.finished();
    await album.shoot(page, "interrupted");

    upstream.script(
      { match: { kind: "plan", user: content.question }, answer: JSON.stringify(content.queries) },
      { match: { kind: "answer", user: content.question }, answer: content.answer },
    );
    const [first] = content.queries;
    web.search.answer = (query) => (query === first ? pages.slice(0, 4) : pages.slice(3));
    web.search.delay = (query) => (query === first ? 0 : 4000);
    await chat.startAnew();
    await chat.send(content.question);
    await expect(card("search.running")).toBeVisible();
    await expect(chat.lastReply.getByRole("button").locator("svg").nth(4)).toBeVisible();
    await album.shoot(page, "searching");
    await chat.finished();
    await expect(card("search.found_other", { count: pages.length })).toBeVisible();
    await markSites(page);
    await page.reload();
    await expect(chat.lastReply.locator("img").first()).toBeVisible();
    await album.shoot(page, "found");
    if (!look.phone) {
      await chat.lastReply.getByRole("link").first().hover();
      await expect(page.getByRole("tooltip")).toContainText("weather.example");
      await album.shoot(page, "citation");
      await page.mouse.move(1, 1);
    }
    await card("search.found_other", { count: pages.length }).click();
    await expect(chat.sidePanel.getByRole("link")).toHaveCount(pages.length);
    await album.shoot(page, "results");
    await album.shootAt(page, "results", look.phone ? [[320, 568]] : [[1440, 420]]);
    await chat.sidePanel.getByRole("button", { name: chat.text("common.close") }).click();
    await page.unroute("**/chat/history_messages*");

    web.search.delay = () => 0;
    web.search.answer = () =>
      pages.map((found) => ({ ...found, url: found.url.replace("weather.example", "slow.example.com") }));
    await chat.startAnew();
    await chat.send(content.question);
    await expect(card("search.reading_other", { count: pages.length })).toBeVisible();
    await album.shoot(page, "reading");
    await chat.finished();
    web.search.answer = () => [];
    await chat.startAnew();
    await chat.send(content.question);
    await expect(card("search.nothing")).toBeVisible();
    await chat.finished();
    await album.shoot(page, "found-nothing");
    web.search.answer = () => null;
    await chat.startAnew();
    await chat.send(content.question);
    await expect(card("search.failed")).toBeVisible();
    await album.shoot(page, "failed");
    await chat.finished();

    await chat.startAnew();
    await toggle.click();
    await files.input.setInputFiles([givenFiles.notes]);
    await files.ready(givenFiles.notes.name);
    if (look.phone) {
      await toggle.tap({ force: true });
      await expect(page.getByRole("status").getByText(chat.text("searchOffWithFiles"))).toBeVisible();
    } else {
      await toggle.hover();
      await expect(page.getByRole("tooltip")).toHaveText(chat.text("searchOffWithFiles"));
    }
    await album.shoot(page, "toggle-with-a-file");
    await page.close();
  });
});
