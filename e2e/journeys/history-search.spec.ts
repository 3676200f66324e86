import type { Page } from "@playwright/test";
import type { SearchPage } from "@plumb/protocol/wire/history";
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { answerWithLongHistory } from "../support/long-history.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

test("one shortcut opens the search, hits come while one types, and one leads to its message on its branch", async ({
  openAs,
  stack,
  upstream,
  calls,
}) => {
  calls.expect({ answer: 3 });
  const account = await ApiAccount.signUp(stack);
  const [asked, edited] = ["海边的灯塔为什么要闪光？", "海边的雾号是怎么工作的？"];
  upstream.script(
    { match: { user: asked, kind: "answer" }, answer: "因为**闪光**能告诉船长这是哪一座灯塔。" },
    { match: { user: edited, kind: "answer" }, answer: "雾号用低沉的声音代替光。" },
  );
  await account.ask("How are bread and butter made?");
  const page = await openAs(account, { preferences: { locale: "zh_CN" } });
  const chat = new ChatPage(page, "zh_CN");
  await chat.send(asked);
  await chat.finished();
  // Another branch is on show, so that the first is to be found.
  await chat.questions.first().hover();
  await chat.button("conversation.edit").first().click();
  const box = chat.questions.getByRole("textbox");
  await box.fill(edited);
  await box.press("Enter");
  await expect(chat.lastReply).toContainText("雾号用低沉的声音");
  await chat.finished();
  await page.keyboard.press("ControlOrMeta+j");
  await expect(page).toHaveURL("/");

  await expect(chat.composer).toBeFocused();
  await page.keyboard.press("ControlOrMeta+k");
  const dialog = page.getByRole("dialog", { name: chat.text("find.title") });
  const field = dialog.getByRole("combobox");
  await expect(field).toBeFocused();
  await expect(dialog.getByRole("group", { name: chat.text("find.recent") }).getByRole("option")).toHaveCount(
    2,
  );
  await expectAccessible(page, "search before a word");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(chat.composer).toBeFocused();

  await page.keyboard.press("ControlOrMeta+k");
  await field.pressSequentially("灯塔", { delay: 30 });
  const hits = dialog.getByRole("group", { name: chat.text("find.messages") }).getByRole("option");
  await expect(hits).toHaveCount(2);
  await expect(hits.filter({ hasText: "因为闪光" }).locator("mark")).toHaveText("灯塔");
  await expect(dialog.getByRole("status")).toHaveText(/条结果$/);
  await expectAccessible(page, "search with hits");
  await page.keyboard.press("End");
  await expect(dialog.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  const wanted = hits.filter({ hasText: asked });
  while ((await wanted.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");

  await expect(dialog).toHaveCount(0);
  await expect(chat.questions).toContainText([asked]);
  await expect(chat.questions.first()).toBeFocused();
  await expect(page.locator("[data-sought]")).toHaveCount(1);
  await expect(page.locator("[data-sought]")).toHaveCount(0);
  await page.reload();
  await expect(chat.questions).toContainText([asked]);

  // The app's commands, in the words of its language.
  await page.getByRole("button", { name: chat.text("sidebar.search") }).click();
  await field.fill("英");
  await expect(dialog.getByText(chat.text("find.nothing", { query: "英" }))).toBeVisible();
  await field.fill("主题");
  await expect(dialog.getByRole("status")).toHaveText(chat.text("find.count_other", { count: 2 }));
  await expect(dialog.getByText(chat.text("find.nothing", { query: "主题" }))).toHaveCount(0);
  await dialog
    .getByRole("option", { name: chat.text("find.theme", { theme: chat.text("settings.themeDark") }) })
    .click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("Enter right behind the last letter leads to what these words find, not to what was found before", async ({
  openAs,
  stack,
  calls,
}) => {
  calls.expect({ answer: 3 });
  const account = await ApiAccount.signUp(stack);
  const sessionId = await account.ask("Which bird is an albatross?");
  for (const prompt of ["And which is a puffin?", "Does an albatross sleep?"])
    await account.ask(prompt, { sessionId });
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press("ControlOrMeta+k");
  const dialog = page.getByRole("dialog", { name: chat.text("find.title") });
  await dialog.getByRole("combobox").fill("albatross");
  const hits = dialog.getByRole("group", { name: chat.text("find.messages") }).getByRole("option");
  await expect(hits).toHaveCount(2);
  const sought = (words: string) => page.locator("[data-sought]").filter({ hasText: words });
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("puffin");
  await page.keyboard.press("Enter");
  await expect(sought("And which is a puffin?")).toHaveCount(1);
  await expect(dialog).toHaveCount(0);
  // Where nothing was found before, too; and a command needs no answer.
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("sleep");
  await page.keyboard.press("Enter");
  await expect(sought("Does an albatross sleep?")).toHaveCount(1);
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("what is typed before the search is here is searched for, and stands in no draft", async ({ chat }) => {
  const { page } = chat;
  await chat.composer.fill("A draft");
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/search-dialog*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  await page.reload();
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("given up");
  await page.keyboard.press("Escape");
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("dark");
  arrive();
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("dark");
  await page.keyboard.type(" x");
  await expect(field).toHaveValue("dark x");
  await page.keyboard.press("Escape");
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("A draft");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toHaveValue("");
  // What is found is more than fits.
  await page.setViewportSize({ width: 1440, height: 300 });
  await expectAccessible(page, "a search that scrolls");
});

test("a hit far up in a chat of very many turns is shown where it stands, in the chat that is on show too", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const turns = 1000;
  const { conversation, page } = chat;
  await chat.send(question);
  await chat.finished();
  await answerWithLongHistory(page, turns);
  // The server knows of one turn; what it would find in the others is said here.
  await page.route("**/api/v0/chat_session/search*", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { biz_data: SearchPage } };
    const [found] = body.data.biz_data.hits.filter(({ message_id: id }) => id !== null);
    const far = (id: number) =>
      found && { ...found, message_id: id, snippet: `Answer number ${id / 2}.`, ranges: [] };
    body.data.biz_data = { hits: [far(640), far(82)].filter((hit) => hit !== undefined), next_cursor: null };
    await route.fulfill({ response: answer, json: body });
  });
  await page.reload();
  await expect(chat.lastReply).toContainText(`Answer number ${turns}.`);
  const word = question.split(" ")[0] ?? "";
  for (const number of [320, 41]) {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox").fill(word);
    await page.getByRole("option", { name: `Answer number ${number}.` }).click();
    const article = conversation.locator(`[data-message-id="${2 * number}"] article`);
    await expect(article).toBeFocused();
    await expect(article).toBeInViewport();
    await expect(article.locator("strong")).toHaveText("bold");
  }
  await page.reload();
  await expect(conversation.locator('[data-message-id="82"]')).toBeInViewport();
});

const PARAGRAPH =
  "The lamp of a lighthouse turns in the night, and a captain counts between the flashes. ".repeat(4);

/** Far below its beginning it has words of its own: in a row of a table and a line of code, which scroll, and in its last line. */
function longAnswer(): string {
  const paragraphs = Array.from({ length: 30 }, (_none, index) => `${index + 1}. **Part.** ${PARAGRAPH}`);
  const rows = Array.from(
    { length: 60 },
    (_none, index) => `| ${index === 55 ? "Fastnet" : "Rock"} | 27 m |`,
  );
  const code = `lamp.turn(${Array.from({ length: 60 }, (_none, index) => `step${index}`).join(", ")}, zymurgy);`;
  return [
    ...paragraphs,
    ["| Tower | Height |", "|---|---|", ...rows].join("\n"),
    PARAGRAPH,
    ["```js", code, "```"].join("\n"),
    ...paragraphs,
    "The last of all lights is **that of the quincunx**, and no other.",
  ].join("\n\n");
}

/** The marked words, and whether all of them stand on the screen, within what scrolls them. */
function markedWords(page: Page) {
  return page.evaluate(() => {
    const ranges = [...(CSS.highlights.get("found-words") ?? [])].filter((range) => range instanceof Range);
    const isSeen = ranges.every((range) => {
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const there = document.elementFromPoint(x, y);
      return there !== null && there.contains(range.startContainer);
    });
    return { words: ranges.map(String), isSeen };
  });
}

for (const { name, words, ...device } of [
  {
    name: "at the desk",
    // From another chat, and then in the one on show, from elsewhere in it.
    words: ["quincunx", "Fastnet", "isophase", "zymurgy", "quincunx"],
    viewport: { width: 1440, height: 900 },
  },
  {
    name: "on a phone",
    words: ["isophase", "quincunx"],
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  },
])
  test.describe(name, () => {
    test.use(device);

    test(`a hit far down in a long answer or prompt is on the screen, and marked, ${name}`, async ({
      openAs,
      stack,
      upstream,
      calls,
      question,
    }) => {
      calls.expect({ answer: 6 });
      const account = await ApiAccount.signUp(stack);
      upstream.script({ match: { user: question, kind: "answer" }, answer: longAnswer() });
      const sessionId = await account.ask("Which lights are there?");
      await account.ask(`${"Look at these words.\n".repeat(100)}And at isophase.`, { sessionId });
      await account.ask(question, { sessionId });
      for (const more of ["And now?", "And then?", "And after that?"]) await account.ask(more, { sessionId });
      const page = await openAs(account);
      const chat = new ChatPage(page);
      await expect(chat.composer).toBeVisible();
      // The page listens to the keyboard once it has given the focus.
      if (!("isMobile" in device)) await expect(chat.composer).toBeFocused();
      for (const word of words) {
        await expect(chat.composer).toBeVisible();
        await page.keyboard.press("ControlOrMeta+k");
        const dialog = page.getByRole("dialog", { name: chat.text("find.title") });
        await dialog.getByRole("combobox").fill(word.toLowerCase());
        const hit = dialog.getByRole("group", { name: chat.text("find.messages") }).getByRole("option");
        await expect(hit.locator("mark")).toHaveText(word);
        await page.keyboard.press("Enter");
        // They are for 2.4 s.
        await expect
          .poll(() => markedWords(page), { intervals: [100] })
          .toEqual({ words: [word], isSeen: true });
        await expect(page.locator("[data-sought]")).toHaveCount(0);
        await expect.poll(() => markedWords(page)).toEqual({ words: [], isSeen: true });
      }
      await page.reload();
      await expect(chat.conversation.getByText("that of the quincunx")).toBeInViewport();
    });
  });
