import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { copiedOfEveryConstruct, everyConstruct } from "../support/every-construct.ts";
import { answerWithLongHistory } from "../support/long-history.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

declare global {
  interface Window {
    madeElsewhere?: number;
  }
}

const turns = 200;

test("of a long chat only what is near the screen is drawn in full; all of it is found, read out, printed, and kept in its place", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { conversation, page } = chat;
  await chat.send(question);
  await chat.finished();
  await answerWithLongHistory(page, turns);
  await page.reload();
  await expect(chat.lastReply).toContainText(`Answer number ${turns}.`);
  await expect(chat.lastReply).toBeInViewport();
  await expect(conversation.getByRole("article")).toHaveCount(2 * turns);
  const drawn = conversation.locator("[data-message-id]:has(button)");
  expect(await drawn.count()).toBeLessThan(60);

  // The words of all are there for what reads or searches the page.
  const hit = await page.evaluate(() => {
    const { find } = window as unknown as { find(text: string, ...how: boolean[]): boolean };
    // Whatever the case, forwards, from the top again.
    if (!find("Question number 90?", false, false, true)) return null;
    return getSelection()?.anchorNode?.parentElement?.closest("[data-message-id]")?.textContent;
  });
  expect(hit).toBe("Question number 90?");

  // A fragment of text in the address is looked for as a search in the page does it, which no test can open.
  const found = conversation.locator('[data-message-id="79"]');
  await expect(found.locator("button")).toHaveCount(0);
  const path = new URL(page.url()).pathname;
  await page.goto(`${path}#:~:text=${encodeURIComponent("Question number 40?")}`);
  await expect(found).toBeInViewport();
  await expect(found.locator("button")).not.toHaveCount(0);
  await page.evaluate((address) => history.replaceState(null, "", address), path);
  // The bold word is no longer written with its asterisks.
  await expect(conversation.locator('[data-message-id="80"] strong')).toHaveText("bold");

  // Scrolling up leaves what is in view where it is, whatever is drawn above.
  await conversation.hover();
  const top = () => found.evaluate((element) => element.getBoundingClientRect().top);
  await page.waitForTimeout(500);
  const before = await top();
  await page.mouse.wheel(0, -100);
  await expect.poll(async () => Math.abs((await top()) - before - 100)).toBeLessThan(4);

  // The place is kept when the page has stood still for 100 ms.
  await page.waitForTimeout(500);
  await page.reload();
  await expect(found).toBeInViewport();
  await expect.poll(async () => Math.abs((await top()) - before - 100)).toBeLessThan(4);
  expect(await drawn.count()).toBeLessThan(80);

  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(drawn).toHaveCount(2 * turns);
});

test("of a long chat the same is copied before and after it is drawn, and each number, formula and cell of it", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { conversation, page } = chat;
  await chat.send(question);
  await chat.finished();
  await answerWithLongHistory(page, 20, (turn) => `Answer number ${turn + 1}.\n\n${everyConstruct}`);
  // This page never has time.
  await page.addInitScript(() => Object.defineProperty(window, "requestIdleCallback", { value: () => 0 }));
  const loaded = page.waitForResponse(/copy-selection/);
  await page.reload();
  await expect(chat.lastReply).toContainText("Answer number 20.");
  await page.mouse.move(300, 300);
  await (await loaded).finished();
  const copied = () =>
    conversation.evaluate(async (column) => {
      await new Promise((resolve) => setTimeout(resolve));
      getSelection()?.selectAllChildren(column);
      const clipboardData = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
      return ["text/plain", "text/html"].map((type) => clipboardData.getData(type).split("\n"));
    });
  const before = await copied();
  expect(await conversation.locator("[data-message-id]:has(button)").count()).toBeLessThan(20);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(conversation.locator("[data-message-id]:not(:has(button)), [data-place]")).toHaveCount(0);
  expect(await copied()).toEqual(before);
  const text = before[0]?.join("\n") ?? "";
  for (const part of copiedOfEveryConstruct) expect(text.split(part).length - 1, part).toBe(20);
  expect(text).toContain("End.\n\nQuestion number 9?\n\nAnswer number 9.");
  // What looks at each page as it ends would look at all that was drawn.
  await page.reload();
  await expect(chat.lastReply).toContainText("Answer number 20.");
});

const found = (page: Page, words: string): Promise<boolean> =>
  page.evaluate((searched) => {
    const { find } = window as unknown as { find(text: string, ...how: boolean[]): boolean };
    // Whatever the case, forwards, from the top again.
    return find(searched, false, false, true);
  }, words);

test("of a long answer all words are found at once, also those that are drawn when the page has time", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const parts = Array.from(
    { length: 150 },
    (_, index) => `Part ${index} has **bold** words. ${"It goes on with more of them. ".repeat(10)}`,
  );
  const rows = Array.from({ length: 300 }, (_, index) => `| row ${index} is here | two |`).join("\n");
  parts[40] += `\n\n- an item with \`code\` in it`;
  parts[60] += `\n\n| one | two |\n|---|---|\n${rows}`;
  parts[80] += `\n\n\`\`\`ts\n${"let x;\n".repeat(20)}// the last line\n\`\`\``;
  upstream.script({ match: { user: question }, answer: parts.join("\n\n") });
  const id = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  // This page never has time.
  await page.addInitScript(() => Object.defineProperty(window, "requestIdleCallback", { value: () => 0 }));
  await page.goto(`/a/chat/s/${id}`);
  await expect(chat.lastReply.getByText("Part 149")).toBeAttached();
  expect(await chat.lastReply.locator("p").count()).toBeLessThan(100);
  for (const words of [
    "Part 20 has bold words",
    "Part 60 has",
    "an item with code in it",
    "row 290 is here",
    "the last line",
  ])
    expect(await found(page, words), words).toBe(true);

  // What is selected over a place that was not drawn is copied with its words.
  await page.reload();
  await expect(chat.lastReply.getByText("Part 149")).toBeAttached();
  await page.mouse.move(300, 300);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async () => {
    await chat.lastReply.evaluate((reply) => getSelection()?.selectAllChildren(reply));
    await page.keyboard.press("Control+c");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await expect
    .poll(async () => {
      const words = await copied();
      return parts.flatMap((_, index) => (words.includes(`Part ${index} has bold words`) ? [] : index));
    })
    .toEqual([]);
  const words = await copied();
  for (const last of ["an item with code in it", "row 290 is here", "// the last line"])
    expect(words).toContain(last);
});

/** Sections of everything that an answer can hold. */
function sections(count: number): string {
  return Array.from({ length: count }, (_, index) =>
    [
      `## Section ${index}`,
      `Text ${index} with **bold** $x_{${index}}\\,dx$ and \`code\`.`,
      `1. one ${index}\n2. two $y_${index}$\n   - below\n- [ ] to do ${index}`,
      `| h | i |\n|---|---|\n| c${index} | $z_${index}$ |`,
      `$$\n\\sum_{i=0}^{${index}} \\{i\\} \\\\ b\n$$`,
      `\`\`\`py\nprint("${index}")\n\`\`\``,
    ].join("\n\n"),
  ).join("\n\n");
}

/**
 * In the page: counts in each frame what of its last answer was made elsewhere while a place on the screen was empty, from
 * when all of its blocks are there.
 */
function countMadeElsewhere(blocks: number): void {
  window.madeElsewhere = 0;
  let elsewhere: Element[] = [];
  let isBlank = false;
  const look = () => {
    const places = [...document.querySelectorAll("article [data-place]")];
    const scroller = places[0]?.closest('[role="region"][tabindex]')?.getBoundingClientRect();
    const onScreen = places.filter((place) => {
      const { top, bottom } = place.getBoundingClientRect();
      return scroller !== undefined && bottom > scroller.top && top < scroller.bottom;
    });
    if (isBlank && onScreen.length > 0)
      window.madeElsewhere = (window.madeElsewhere ?? 0) + elsewhere.filter((one) => !one.isConnected).length;
    const groups = [...(places[0]?.parentElement?.parentElement?.children ?? [])];
    const isAllThere = groups.reduce((sum, { children }) => sum + children.length, 0) === blocks;
    isBlank = isAllThere && onScreen.length > 0;
    elsewhere = places.filter((place) => !onScreen.includes(place));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

test("a long answer is opened at its end: on a slow machine that is made first and stays in view, and the places nearest to it have words", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const count = 90;
  const blocksOfSection = 7;
  upstream.script({ match: { user: question }, answer: sections(count) });
  const id = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  const inspector = await page.context().newCDPSession(page);
  await inspector.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(countMadeElsewhere, blocksOfSection * count);
  await page.goto(`/a/chat/s/${id}`);
  await expect(chat.lastReply.getByText(`print("${count - 1}")`)).toBeInViewport();
  const places = chat.lastReply.locator("[data-place]");
  const onScreen = () =>
    places.evaluateAll((all) => {
      const seen = document.querySelector('[role="region"][tabindex]')?.getBoundingClientRect();
      const boxes = all.map((place) => place.getBoundingClientRect());
      return seen && boxes.filter(({ top, bottom }) => bottom > seen.top && top < seen.bottom).length;
    });
  await expect.poll(onScreen).toBe(0);
  // What was in hand when the last of the text came.
  expect(await page.evaluate(() => window.madeElsewhere)).toBeLessThan(30);

  const wordless = () =>
    places.evaluateAll((all) => all.slice(-300).filter(({ textContent }) => textContent === "").length);
  await expect.poll(wordless).toBe(0);
  expect(await places.count()).toBeGreaterThan(0);

  const toEnd = () => chat.conversation.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
  await expect.poll(toEnd).toBeLessThanOrEqual(1);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(places).toHaveCount(0);
  await expect.poll(toEnd).toBeLessThanOrEqual(1);
  await expect(chat.button("conversation.toBottom")).toHaveCount(0);
  await expect(chat.lastReply.getByText(`print("${count - 1}")`)).toBeInViewport();
  // With all of it made, what each journey looks at last would take a minute.
  await inspector.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.goto("/");
  await expect(chat.composer).toBeFocused();
});
