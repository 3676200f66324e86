import type { Page } from "@playwright/test";
import type { ModelSettings } from "@plumb/protocol/wire/site";
import { changeSettings } from "../support/change-settings.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { expectStill, noteShifts } from "../support/layout-shifts.ts";
import { ChatPage, plain } from "../support/pages/chat-page.ts";

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

test("on a phone the chats are in a sheet that goes away with the choice made in it", async ({
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
  // Tapped before its code is here, it opens with that.
  const code = /\/static\/assets\/page-dialogs-[\w-]+\.js$/;
  const { promise: tapped, resolve: release } = Promise.withResolvers<void>();
  await page.route(code, (route) => tapped.then(() => route.continue()));
  await page.reload();
  await chat.button("header.openSidebar").tap();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toHaveCount(0);
  release();
  await expect(sheet).toBeVisible();
  await expectAccessible(page, "sheet on a phone");
  // Escape closes a row's menu, gives up a title that is written, and then the sheet.
  const menu = page.getByRole("button", {
    name: sidebar.text("sidebar.rowMenu", { title: "Found in the sheet" }),
  });
  await menu.tap();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(menu).toBeFocused();
  await expect(sheet).toBeVisible();
  await sidebar.rowAction("Found in the sheet", "common.rename");
  await expect(sidebar.titleField).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sidebar.titleField).toHaveCount(0);
  await expect(sidebar.row("Found in the sheet")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await chat.button("header.openSidebar").tap();
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

test("a phone's composer is one line until it is written in, and a low screen leaves room to read", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  const form = page.locator("main form");
  const height = async (): Promise<number> => (await form.boundingBox())?.height ?? 0;
  await expect(page.getByText(/^This server runs Plumb with /)).toBeVisible();
  expect(await height()).toBeLessThan(60);
  await chat.composer.tap();
  await expect.poll(height).toBeGreaterThan(100);
  await chat.button("composer.thinking").tap();
  await expect(chat.composer).toBeFocused();
  await chat.button("composer.thinking").tap();
  await chat.composer.fill(question);
  await chat.sendButton.tap();
  await chat.finished();

  for (const size of [
    { width: 844, height: 390 },
    { width: 844, height: 200 },
    { width: 320, height: 568 },
  ]) {
    await page.setViewportSize(size);
    await chat.composer.blur();
    await expect.poll(height).toBeLessThan(60);
    // The layout follows the size of the window a frame later.
    await expect
      .poll(async () => (await chat.conversation.boundingBox())?.height, {
        message: `room at ${size.width}×${size.height}`,
      })
      .toBeGreaterThan(size.height < 500 ? size.height - 120 : 300);
    // On a low screen it would lie over the last reply's actions, and what is said of the network over it.
    await expect(chat.conversation.getByRole("link", { name: chat.text("common.newChat") })).toBeVisible({
      visible: size.height >= 500,
    });
    // What has the focus would be scrolled to, and nothing scrolls back.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(size.height);
    await expect
      .poll(() =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      )
      .toBe(0);
    // One line of it.
    const note = page.getByText(chat.text("composer.disclaimer"));
    expect(await note.evaluate((line) => line.clientHeight)).toBeLessThan(24);
    await expectAccessible(page, `a turn at ${size.width}×${size.height}`);
  }

  await page.setViewportSize({ width: 390, height: 844 });
  await chat.button("header.openSidebar").tap();
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).tap();
  await expect(page.getByRole("menuitem", { name: chat.text("profile.settings") })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: chat.text("shortcuts.title") })).toHaveCount(0);
  expect((await page.getByRole("navigation").boundingBox())?.width).toBe(320);
  // One mask at a time: the dialog's, not the sheet's below it.
  await page.getByRole("menuitem", { name: chat.text("profile.settings") }).tap();
  await expect(page.getByRole("radiogroup", { name: chat.text("settings.theme") })).toBeVisible();
  await expect
    .poll(() =>
      page
        .locator("[data-mask]")
        .evaluateAll((masks) => masks.map((mask) => getComputedStyle(mask).backgroundColor)),
    )
    .toEqual(["rgba(0, 0, 0, 0)", expect.not.stringContaining(", 0)")]);
});

test("above the keyboard of a phone on its side all of the rail can be pressed, and the open list has room", async ({
  chat,
  account,
  sidebar,
  calls,
  question,
}) => {
  calls.expect({ answer: 4 });
  const { page } = chat;
  for (const nth of ["first", "second", "third"]) await account.ask(`${question}, ${nth}`);
  const id = await account.ask(question);
  await page.setViewportSize({ width: 844, height: 200 });
  await page.goto(`/a/chat/s/${id}`);
  await expect(chat.questions).toHaveText([question]);
  for (const key of ["sidebar.expand", "sidebar.search", "common.newChat"])
    await expect(sidebar.navigation.getByRole("button", { name: chat.text(key) })).toBeInViewport({
      ratio: 1,
    });

  await chat.button("sidebar.expand").tap();
  const profile = page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) });
  await expect(sidebar.rows).not.toHaveCount(0);
  const last = sidebar.rows.last();
  await last.scrollIntoViewIfNeeded();
  const top = async (): Promise<number> => (await profile.boundingBox())?.y ?? 0;
  await expect(profile).toBeInViewport({ ratio: 1 });
  // Two rows and more are seen at once, and none lies under the account's button.
  const seen = await sidebar.rows.evaluateAll(
    (rows, end) =>
      rows.map((row) => row.getBoundingClientRect()).filter(({ top, bottom }) => top >= 0 && bottom <= end)
        .length,
    await top(),
  );
  expect(seen).toBeGreaterThanOrEqual(2);
  await expectAccessible(page, "the sidebar above a keyboard");
});

test("on a phone a passing notice covers no word of the first message, on its side nothing of the header either", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: "```mermaid\nflowchart TD\n  A[Open --> B\n```\n\nIt is broken.",
  });
  const id = await account.ask(question);
  await account.rename(id, "How the oats grow in a field");
  for (const size of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
    { width: 844, height: 200 },
  ]) {
    await page.setViewportSize(size);
    await page.goto(`/a/chat/s/${id}`);
    const notice = page.getByRole("status").getByText(chat.text("markdown.diagramFailed"));
    await expect(notice).toBeVisible({ timeout: 25_000 });
    await chat.conversation.evaluate((scroller) => scroller.scrollTo(0, 0));
    const words = chat.questions.first().getByText(question);
    const [said, asked] = [await notice.boundingBox(), await words.boundingBox()];
    const about = `at ${size.width} × ${size.height}`;
    expect((said?.y ?? 0) + (said?.height ?? 0), about).toBeLessThanOrEqual(asked?.y ?? 0);
    if (size.width < 800) continue;
    // The title is a field that is renamed where it stands.
    const covered = await notice.evaluate((words) => {
      const { left, right, top, bottom } = (words.parentElement ?? words).getBoundingClientRect();
      return [...document.querySelectorAll<HTMLElement>("header :is(input, button)")]
        .filter((control) => {
          const box = control.getBoundingClientRect();
          return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
        })
        .map((control) => control.ariaLabel);
    });
    expect(covered, about).toEqual([]);
  }
});

test("with text of twice the size nothing on a phone is cut off or reaches over its edge", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const id = await account.ask(question);
  /** What is wider or higher than its own box, or reaches over the page's edge. */
  const cut = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const faults: string[] = [];
      for (const element of document.querySelectorAll<HTMLElement>(
        "button, a, p, h1, h2, label, span, textarea",
      )) {
        const { left, right, width, height } = element.getBoundingClientRect();
        // One pixel is only heard; a chat's title is whole in its tooltip and its header.
        if (width <= 1 || height <= 1 || element.closest("article, nav li, [inert]") !== null) continue;
        const name = `${element.localName} "${element.textContent ?? ""}"`;
        if (left < -1 || right > innerWidth + 1) faults.push(`${name} over the edge`);
        if (getComputedStyle(element).display === "inline") continue;
        if (element.scrollHeight > element.clientHeight + 2) faults.push(`${name} cut below`);
        // An address's end is in its menu and in the settings.
        if (element.scrollWidth > element.clientWidth + 2 && !name.includes("@"))
          faults.push(`${name} cut at its end`);
      }
      return faults;
    });
  const enlarged = async (page: Page, path: string): Promise<void> => {
    await page.addInitScript(() =>
      document.addEventListener("readystatechange", () => {
        document.documentElement.style.fontSize = "200%";
      }),
    );
    await page.goto(path);
  };
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await enlarged(page, `/a/chat/s/${id}`);
  await expect(chat.questions).toHaveText([question]);
  expect(await cut(page)).toEqual([]);
  await chat.button("header.openSidebar").tap();
  const profile = page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) });
  await expect(profile).toBeVisible();
  // The sheet slides in from beyond the edge.
  await expect.poll(() => cut(page)).toEqual([]);
  await profile.tap();
  await page.getByRole("menuitem", { name: chat.text("profile.settings") }).tap();
  for (const tab of await page.getByRole("tab").all()) {
    await tab.tap();
    await expect(tab).toHaveAttribute("data-state", "active");
    expect(await cut(page)).toEqual([]);
  }
  const guest = await openAs(null);
  await enlarged(guest, "/sign_in");
  await expect(guest.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await cut(guest)).toEqual([]);
});

test("on a phone nothing jumps while a chat is reloaded, another is opened, and a reply grows", async ({
  chat,
  account,
  sidebar,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 4 });
  const { page } = chat;
  const long = "A paragraph of what was said, long enough for more than one line of a phone.\n\n".repeat(12);
  const table = `${long}| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`ts\nconst x = 1;\n\`\`\``;
  upstream.script({ match: { user: `${question}, table` }, answer: table });
  upstream.script({ match: { user: `${question}, on` }, answer: long, chunkChars: 40, paceMs: 10 });
  const other = await account.ask(`${question}, other`);
  await account.rename(other, "Still on a phone");
  const shown = await account.ask(`${question}, one`);
  await account.ask(`${question}, table`, { sessionId: shown });

  await noteShifts(page);
  await page.goto(`/a/chat/s/${shown}`);
  await expect(chat.lastReply.getByRole("table")).toBeVisible();
  await expectStill(page, "loading a chat");
  await page.reload();
  await expect(chat.lastReply.getByRole("table")).toBeVisible();
  await expectStill(page, "reloading");
  await chat.button("header.openSidebar").tap();
  await sidebar.row("Still on a phone").tap();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(chat.questions).toHaveText([`${question}, other`]);
  await expectStill(page, "opening another chat");
  await chat.composer.tap();
  await chat.composer.fill(`${question}, on`);
  await chat.sendButton.tap();
  await chat.answerReaches(40);
  // The composer opens to two lines, and is one line again: 78 px there and back.
  await expectStill(page, "writing and sending", 0.05);
  await chat.finished();
  await expectStill(page, "a growing reply");
});

test("on a phone the composer's one line keeps the places of what comes with the settings", async ({
  openAs,
  account,
}) => {
  const page = await openAs(account, { preferences: { thinkingEnabled: true } });
  const chat = new ChatPage(page);
  let coming = Promise.withResolvers<void>();
  let models: ModelSettings[] = [];
  await changeSettings(page, async (settings) => {
    settings.models.push(...models);
    await coming.promise;
  });
  await noteShifts(page);
  const thinking = chat.button("composer.thinking");
  const select = page.getByRole("button", {
    name: new RegExp(`^${chat.text("composer.model", { model: "" })}`),
  });

  await expect(thinking).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("plumb.clientSettings"));
  await page.reload();
  await expect(chat.composer).toBeVisible();
  await expect(thinking).toHaveCount(0);
  const greeting = page.getByRole("heading", { level: 1 });
  const words = (await greeting.textContent()) ?? "";
  coming.resolve();
  await expect(thinking).toContainText(/\d/);
  await expect(greeting).toHaveText(words);
  await expectStill(page, "a first visit");

  models = [{ id: "large", name: "A large model", thinking: true }];
  coming = Promise.withResolvers();
  coming.resolve();
  await page.reload();
  await expect(select).toBeVisible();
  coming = Promise.withResolvers();
  await page.reload();
  await expect(select).toBeVisible();
  await expect(thinking).toContainText(/\d/);
  await expectStill(page, "a later visit, before the settings");
  coming.resolve();
  await page.waitForResponse("**/api/v0/client/settings*");
  await expectStill(page, "a later visit");
});

test("on a phone a chat of answers of many kinds opens at its end without a jump, and what is sent from its middle is followed", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 5 });
  const { page } = chat;
  const item = "- **Point** with a `word` of code, and some more words so that it wraps on a phone\n";
  const parts = [
    `# A heading\n\n${item.repeat(9)}`,
    "> a quotation\n> of two lines",
    "```ts\nlet a = 1;\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "1. one\n\n   two\n2. three",
    "Words of a paragraph. ".repeat(20),
  ];
  // Formulas take the most to draw: what may be drawn at once is spent above.
  const formulas = "Words about $x_1$, $x_2$ and $x_3$.\n\n".repeat(4);
  upstream.script({
    match: { user: `${question}, last`, kind: "answer" },
    times: 1,
    answer: parts.join("\n\n"),
  });
  upstream.script({ match: { user: question, kind: "answer" }, answer: formulas });
  const id = await account.ask(question);
  for (const turn of ["second", "third", "last"])
    await account.ask(`${question}, ${turn}`, { sessionId: id });
  await noteShifts(page);
  for (const act of ["loading", "reloading"]) {
    await page.goto(`/a/chat/s/${id}`);
    await expect(chat.replies).toHaveCount(4);
    await expect(chat.lastReply).toContainText("three");
    await expectStill(page, act);
  }

  // A scroll by script is no gesture: where the page still holds its end, on a slow machine, it is taken back.
  await expect(async () => {
    await chat.conversation.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight / 3));
    await expect(chat.button("conversation.toBottom")).toBeVisible({ timeout: 1000 });
  }).toPass();
  await chat.composer.tap();
  await page.keyboard.type("Go on");
  await chat.sendButton.tap();
  await chat.finished();
  await chat.composer.blur();
  const below = () =>
    chat.conversation.evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    );
  await expect.poll(below).toBeLessThan(2);
});

test("on paper a chat is a page of text", async ({ chat, upstream, calls, question }) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  upstream.script({ match: { user: question, kind: "answer" }, answer: "A line.\n\n".repeat(80) });
  await chat.composer.fill(question);
  await chat.sendButton.tap();
  await chat.finished();
  await page.emulateMedia({ media: "print" });
  await expect(chat.composer).toBeHidden();
  await expect(page.locator("main header")).toBeHidden();
  await expect(chat.questions).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(80 * 28);
  await page.emulateMedia({ media: "screen" });
});

test("on a phone a question is edited: the actions are there to be tapped, Enter is a new line, the button sends [ENG-066]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const { page } = chat;
  upstream.script({ match: { user: question }, tokens: 30 });
  await chat.composer.fill(question);
  await chat.sendButton.tap();
  await chat.finished();
  const edit = chat.button("conversation.edit");
  expect(await edit.evaluate((button) => getComputedStyle(button.parentElement!).opacity)).toBe("1");
  const replyTop = async () => (await chat.lastReply.boundingBox())?.y;
  const before = await replyTop();
  await edit.tap();
  const box = page.getByRole("textbox", { name: chat.text("edit.label") });
  await expect(box).toBeFocused();
  expect(await replyTop()).toBe(before);
  await page.keyboard.press("Enter");
  await page.keyboard.type("and more");
  await expect(box).toHaveValue(`${question}\nand more`);
  await expectAccessible(page, "an edit box on a phone");
  await page.locator("article form button[type=submit]").tap();
  await expect(chat.questions).toContainText(["and more"]);
  await chat.finished();
  await expect(box).toBeHidden();
});

test("on a phone the search fills the screen, says what it cannot find, and leads to a message", async ({
  chat,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  const sessionId = await account.ask(question);
  await account.rename(sessionId, "A chat with another name");
  await page.reload();
  await chat.button("header.openSidebar").tap();
  await chat.button("sidebar.search").tap();
  const dialog = page.getByRole("dialog", { name: chat.text("find.title") });
  const field = dialog.getByRole("combobox");
  await expect(field).toBeFocused();
  await field.fill("nothing of this kind was ever said");
  await expect(dialog.getByText(chat.text("find.nothingHint"))).toBeVisible();
  await expect(dialog.getByRole("status")).toHaveText(chat.text("find.none"));
  await field.fill(question);
  const hit = dialog
    .getByRole("group", { name: chat.text("find.messages") })
    .getByRole("option")
    .first();
  await expect(hit).toBeVisible();
  await expectAccessible(page, "search on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await hit.tap();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/s/${sessionId}$`));
  await expect(page.locator("[data-sought]")).toHaveCount(1);
});

/** Paragraphs with formulas in and between them: most of their height comes when they are drawn. */
function formulas(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const words = `Paragraph ${index + 1} says that $x_{${index}} + \\frac{a}{b}$ and $\\sqrt{${index}}$ hold for all that was said before.`;
    const matrix = `\\begin{pmatrix} a & b \\\\ c & ${index} \\end{pmatrix}`;
    return index % 2 === 0 ? `${words}\n\n$$\n\\sum_{n=1}^{9} \\frac{1}{n} = ${matrix}\n$$` : words;
  }).join("\n\n");
}

function mixed(count: number): string {
  const kinds = [
    "Some words, and more of them to fill a line or two.",
    "## Heading\n\n- one $x_1$\n- two\n- three",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| long cell with words | 3 |",
    `\`\`\`ts\n${"const x = 1;\n".repeat(6)}\`\`\``,
    "> quoted $\\frac{a}{b}$\n\n$$\n\\int_0^1 x dx\n$$",
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]).join("\n\n");
}

for (const { name, answer } of [
  { name: "formulas", answer: formulas(40) },
  { name: "everything", answer: mixed(40) },
])
  test(`on a phone long answers of ${name} are opened, and reloaded at their end and in their middle, without a shift`, async ({
    openAs,
    account,
    upstream,
    calls,
    question,
  }) => {
    const turns = ["one", "two", "three"];
    calls.expect({ answer: turns.length });
    let id: string | undefined;
    for (const turn of turns) {
      upstream.script({ match: { user: `${question}, ${turn}` }, answer: `${answer}\n\nEnd.` });
      id = await account.ask(`${question}, ${turn}`, id === undefined ? {} : { sessionId: id });
    }
    const page = await openAs(account);
    const chat = new ChatPage(page);
    await noteShifts(page);
    const settled = async () => {
      await expect(chat.replies).toHaveCount(turns.length);
      await expect(chat.lastReply.getByText("End.")).toBeAttached();
      // What is near the screen is made and drawn, a little in each frame.
      await expect
        .poll(async () => {
          const count = () => chat.conversation.evaluate((scroller) => scroller.querySelectorAll("*").length);
          const before = await count();
          await page.waitForTimeout(500);
          return (await count()) - before;
        })
        .toBe(0);
    };
    await page.goto(`/a/chat/s/${id}`);
    await settled();
    await expectStill(page, "opening");
    await page.reload();
    await settled();
    await expectStill(page, "reloading at the end");
    await chat.conversation.evaluate((scroller) => scroller.scrollBy(0, -1300));
    await settled();
    await page.reload();
    await settled();
    await expectStill(page, "reloading in the middle");
    const toEnd = () => chat.conversation.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    expect(await toEnd()).toBeGreaterThan(600);
  });

test("on a phone displayed formulas that are drawn late move nothing", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const shown = ["\\int_0^1 x\\,dx = \\frac12", "\\sum_{i=1}^n i = \\frac{n(n+1)}{2}", "E = mc^2"];
  const answer = `Some words.\n\n${shown.map((tex) => `$$${tex}$$\n\nThen:`).join("\n\n")}\n\nLast words.`;
  upstream.script({ match: { user: question }, answer });
  const id = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await noteShifts(page);
  await page.route("**/katex-*.js", async (route) => {
    await page.waitForTimeout(2000);
    await route.continue();
  });
  await page.goto(`/a/chat/s/${id}`);
  await expect(chat.lastReply.getByText("\\frac12")).toBeVisible();
  await expect(chat.lastReply.locator(".katex-display")).toHaveCount(shown.length);
  await expectStill(page, "drawing");
});

const graph =
  "flowchart TD\n  A[Open the app] --> B{Logged in?}\n  B -->|Yes| C[Show it]\n  B -->|No| D[Sign in]";
const talk = "sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hello to you\n  Alice-)Bob: Until then";

test("on a phone diagrams that are drawn late, for the first time, move nothing", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const answer = [graph, talk].map((source) => `Thus:\n\n\`\`\`mermaid\n${source}\n\`\`\`\n\n`).join("");
  upstream.script({ match: { user: question }, answer: `${answer}Last words.` });
  const id = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await noteShifts(page);
  await page.route("**/static/mermaid.js", async (route) => {
    await page.waitForTimeout(2000);
    await route.continue();
  });
  await page.goto(`/a/chat/s/${id}`);
  // Until then its words are there.
  await expect(chat.lastReply.getByText("Alice->>Bob: Hello")).toBeVisible();
  const pictures = chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") });
  await expect(pictures).toHaveCount(2, { timeout: 25_000 });
  await expectStill(page, "drawing");
});
