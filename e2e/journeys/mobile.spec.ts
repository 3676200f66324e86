import { expectAccessible } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { plain } from "../support/pages/chat-page.ts";

test("on a phone: nothing runs over the edge, Enter is a new line, the button sends [ENG-033] [SHELL-064]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  upstream.script({
    match: { user: question },
    answer: `A ${"long".repeat(60)} word.\n\n| ${"wide | ".repeat(12)}\n|${"---|".repeat(12)}\n| ${"cell | ".repeat(12)}\n\n\`\`\`\n${"code ".repeat(60)}\n\`\`\``,
  });
  const overflow = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect(chat.composer).toBeVisible();
  expect(await overflow()).toBe(0);
  await expectAccessible(page, "welcome on a phone");

  await chat.composer.tap();
  await page.keyboard.type(question);
  await page.keyboard.press("Enter");
  await page.keyboard.type("more");
  await expect(chat.composer).toHaveValue(`${question}\nmore`);
  await chat.sendButton.tap();
  await chat.finished();
  expect(await overflow()).toBe(0);
  await expect(chat.lastReply.getByRole("table")).toBeAttached();
  await expectAccessible(page, "a turn on a phone");

  const targets = await page
    .locator("header button, main form button")
    .evaluateAll((buttons) =>
      buttons
        .map((button) => button.getBoundingClientRect())
        .map(({ width, height }) => Math.min(width, height)),
    );
  for (const size of targets) expect(size).toBeGreaterThanOrEqual(32);
});

test("on a phone the chats are in a sheet that goes away with the choice made in it [SHELL-049]", async ({
  chat,
  account,
  sidebar,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  const sessionId = await account.ask(question);
  await account.rename(sessionId, "Found in the sheet");
  await page.reload();
  await chat.button("header.openSidebar").tap();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toBeVisible();
  await expectAccessible(page, "sheet on a phone");
  await sidebar.row("Found in the sheet").tap();
  await expect(sheet).toHaveCount(0);
  await expect(chat.questions).toHaveText([question]);
  await chat.button("common.newChat").tap();
  await expect(page).toHaveURL("/");
});

test("on a phone a reload in the middle goes on where it was", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 80, paceMs: 20 });
  await chat.composer.fill(question);
  await chat.sendButton.tap();
  await chat.answerReaches(80);
  await chat.page.reload();
  await chat.finished();
  expect(plain(await chat.answer())).toBe(plain(upstream.expected(question).answer));
});
