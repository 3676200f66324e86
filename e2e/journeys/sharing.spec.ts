import type { Locator, Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { changeSettings } from "../support/change-settings.ts";
import { expectAccessible } from "../support/accessible.ts";
import { refusedWith } from "../support/checks.ts";
import { givenFiles } from "../support/given-files.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { FilesPart } from "../support/pages/files-part.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

/** The boxes by which messages are chosen, in the order of the messages. */
const boxes = (page: Page) => page.locator("[data-message-id] input[type=checkbox]");

/** How far the title stands from the middle of its line (px). */
async function offCentre(page: Page): Promise<number> {
  const middle = async (part: Locator) => {
    const box = await part.boundingBox();
    return box === null ? Number.NaN : box.x + box.width / 2;
  };
  const header = page.locator("header");
  return Math.abs((await middle(header)) - (await middle(header.getByRole("heading"))));
}

test("turns are chosen by mouse and keys, and a link of them is made and copied [SHARE-006] [SHARE-009] [SHARE-010] [SHARE-013] [SHELL-044]", async ({
  openAs,
  stack,
  calls,
}) => {
  calls.expect({ answer: 2 });
  const account = await ApiAccount.signUp(stack);
  const sessionId = await account.ask("What is a plumb line?");
  await account.ask("And a spirit level?", { sessionId });
  const page = await openAs(account, { path: `/a/chat/s/${sessionId}` });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const chat = new ChatPage(page);
  await expect(chat.replies).toHaveCount(2);
  const share = page.locator("header").getByRole("button", { name: chat.text("common.share") });
  await share.click();

  await expect(page.getByRole("heading", { name: chat.text("shareSelect.title") })).toBeVisible();
  await expect(share).toHaveCount(0);
  await expect(boxes(page)).toHaveCount(4);
  const create = chat.button("shareSelect.create");
  await expect(create).toBeDisabled();
  await expectAccessible(page, "choosing what is shared");
  // By a press anywhere on a reply its question is chosen, too.
  await chat.replies.first().click({ force: true, position: { x: 100, y: 10 } });
  await expect(boxes(page).nth(0)).toBeChecked();
  await expect(boxes(page).nth(1)).toBeChecked();
  await expect(page.getByText(chat.text("shareSelect.count_one", { count: 1 }))).toBeVisible();
  await boxes(page).nth(2).press("Space");
  await expect(page.getByText(chat.text("shareSelect.count_other", { count: 2 }))).toBeVisible();
  const all = page.getByRole("checkbox", { name: chat.text("shareSelect.all") });
  await expect(all).toBeChecked();
  await all.press("Space");
  await expect(create).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(share).toBeVisible();

  // A reply's own button begins with its turn.
  await chat.replies.first().hover();
  await chat.replies
    .first()
    .getByRole("button", { name: chat.text("common.share") })
    .click();
  await expect(boxes(page).nth(1)).toBeChecked();
  await expect(boxes(page).nth(3)).not.toBeChecked();
  // The share is called after the chosen question until something else is typed.
  const title = page.getByRole("textbox", { name: chat.text("shareSelect.titleField") });
  await expect(title).toHaveValue("What is a plumb line?");
  await title.fill("For the mason");
  await title.press("Enter");
  const dialog = page.getByRole("dialog", { name: chat.text("shareCreate.title") });
  await expect(dialog).toContainText(chat.text("shareCreate.about_one", { count: 1 }));
  await expectAccessible(page, "about to create a link");
  await dialog.getByRole("button", { name: chat.text("shareCreate.create") }).press("Enter");
  const link = await dialog.getByRole("textbox").inputValue();
  expect(link).toMatch(/^http:\/\/[^/]+\/share\/[a-z0-9]{18}$/);
  await expect(dialog.getByRole("button", { name: chat.text("shareCreate.copied") })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expect(dialog.getByRole("img", { name: chat.text("shareCreate.qr") })).toBeVisible();
  await expectAccessible(page, "a link");
  await page.keyboard.press("Escape");
  const reader = await openAs(null, { path: new URL(link).pathname });
  await expect(reader.getByRole("heading", { name: "For the mason" })).toBeVisible();
  await expect(share).toBeVisible();

  // On a narrow screen the sidebar goes away meanwhile.
  await page.setViewportSize({ width: 900, height: 800 });
  await chat.button("sidebar.expand").click();
  await expect(chat.button("sidebar.collapse")).toBeVisible();
  await share.click();
  await expect(boxes(page)).toHaveCount(4);
  await expect(chat.button("sidebar.expand")).toBeVisible();
});

test("where a chosen turn has a file, the dialog says who gets at it", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  upstream.script({ match: { user: question }, answer: "It says so." });
  const files = new FilesPart(chat);
  await chat.composer.focus();
  await files.input.setInputFiles([givenFiles.notes]);
  await files.ready(givenFiles.notes.name);
  await chat.send(question);
  await expect(chat.lastReply).toContainText("It says so.");
  await chat.send("And without it?");
  await expect(chat.replies).toHaveCount(2);
  await chat.finished();
  const dialog = chat.page.getByRole("dialog", { name: chat.text("shareCreate.title") });
  await chat.page
    .locator("header")
    .getByRole("button", { name: chat.text("common.share") })
    .click();
  await boxes(chat.page).nth(2).check();
  await chat.button("shareSelect.create").click();
  await expect(dialog).toContainText(chat.text("shareCreate.about_one", { count: 1 }));
  await chat.page.keyboard.press("Escape");
  await boxes(chat.page).nth(0).check();
  await chat.button("shareSelect.create").click();
  await expect(dialog).toContainText(chat.text("shareCreate.aboutWithFiles_other", { count: 2 }));
});

test("a share is read signed out, continued as a copy after signing up on the way, and revoked [SHARE-049] [SHARE-050] [SHELL-016] [SHELL-017] [SHELL-033] [SHELL-034] [SHELL-050] [SHELL-051]", async ({
  openAs,
  stack,
  upstream,
  calls,
  consoleWatch,
  question,
}) => {
  calls.expect({ answer: 3 });
  upstream.script({ match: { user: question, kind: "answer" }, answer: "Then the wall is straight." });
  const owner = await ApiAccount.signUp(stack);
  const sessionId = await owner.ask("What is a plumb line?");
  await owner.ask("What stays private?", { sessionId });
  await owner.rename(sessionId, "Private plans");
  const shareId = await owner.share(sessionId, [1, 2], "Walls");

  const page = await openAs(null, { path: `/share/${shareId}` });
  const chat = new ChatPage(page);
  await expect(page.getByRole("heading", { name: "Walls" })).toBeVisible();
  await expect(page.getByRole("note")).toHaveText(chat.text("shared.banner"));
  await expect(chat.questions).toHaveText(["What is a plumb line?"]);
  await expect(page.locator("body")).not.toContainText("What stays private?");
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(chat.button("conversation.regenerate")).toHaveCount(0);
  await expectAccessible(page, "a share, signed out");

  const header = page.locator("header");
  const link = (name: string) => header.getByRole("link", { name });
  await expect(link("Plumb")).toHaveAttribute("href", "/sign_in");
  await expect(link(chat.text("shared.signIn"))).toHaveAttribute(
    "href",
    `/sign_in?redirect=${encodeURIComponent(`/share/${shareId}`)}`,
  );
  await expect(link(chat.text("profile.app"))).toHaveCount(0);
  const app = { ios: null, android: null, page: "https://app.example/get" };
  await changeSettings(page, (settings) => (settings.app_download = app));
  await page.reload();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(link(chat.text("profile.app"))).toHaveAttribute("href", app.page);
    expect(await offCentre(page)).toBeLessThanOrEqual(1);
  }
  await expectAccessible(page, "a share, signed out, with an app");
  await chat.button("shared.continue").click();
  await expect(page).toHaveURL(`/sign_in?redirect=${encodeURIComponent(`/share/${shareId}`)}`);
  await page.getByRole("link", { name: chat.text("form.signUp") }).click();
  const email = `reader-${Date.now()}@example.com`;
  await new SignInPage(page).signUp({
    email,
    password: "a long passphrase",
    code: () => stack.codeFor(email),
  });

  await expect(page).toHaveURL(`/share/${shareId}`);
  await expect(page.getByRole("navigation")).toBeVisible();
  await expectAccessible(page, "a share that is continued");
  await chat.send(question);
  await expect(page).toHaveURL(/\/a\/chat\/s\//);
  await chat.finished();
  await expect(chat.questions).toHaveText(["What is a plumb line?", question]);
  await expect(chat.lastReply).toContainText("Then the wall is straight.");

  await owner.revoke(shareId);
  await page.goto(`/share/${shareId}`);
  await expect(page).toHaveURL("/share/invalid");
  await expect(page.getByRole("heading", { name: chat.text("shareGone.invalid") })).toBeVisible();
  await expectAccessible(page, "a share that is gone");
  await page.goto("/share/000000000000000000");
  await expect(page).toHaveURL("/share/missing");
  await expect(page.getByRole("heading", { name: chat.text("shareGone.missing") })).toBeVisible();
  consoleWatch.allow(refusedWith(404));
});

/** Where the parts of a share's page stand, and their words. */
async function partsOf(page: Page, within: string): Promise<unknown[]> {
  const parts = ["title", "signIn", "banner", "bubble"].map(async (name) => {
    const part = page.locator(within).locator(`[class^="${name}-"]`);
    const box = await part.boundingBox();
    return [await part.innerText(), box && [box.x, box.y, box.width, box.height].map(Math.round)];
  });
  return Promise.all(parts);
}

/** All files that the page asks for wait to be let through. */
async function holdFiles(page: Page): Promise<() => void> {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(/\/static\//u, (route) => held.then(() => route.continue()));
  return () => letGo();
}

/** From now on, in how many frames nothing of this kind shows where one does now. */
async function framesWithout(page: Page, selector: string): Promise<() => Promise<number>> {
  const handle = await page.evaluateHandle((kind) => {
    const counted = { frames: 0 };
    const { left, top } = document.querySelector(kind)?.getBoundingClientRect() ?? { left: 0, top: 0 };
    const look = () => {
      if (document.elementFromPoint(left + 20, top + 20)?.closest(kind) == null) counted.frames += 1;
      requestAnimationFrame(look);
    };
    look();
    return counted;
  }, selector);
  return () => handle.evaluate(({ frames }) => frames);
}

for (const [width, locale, warning] of [
  [1280, "en-US", "Shared by someone else"],
  [390, "zh-CN", "此对话由他人"],
] as const)
  test(`what was asked first is read before the script has run, where the page then has it, ${width} px, ${locale}`, async ({
    openAs,
    stack,
    browser,
    calls,
  }) => {
    calls.expect({ answer: 1 });
    const owner = await ApiAccount.signUp(stack);
    const asked = `${"What is a plumb line, and since when do people build by it? ".repeat(3)}{title}`;
    const sessionId = await owner.ask(asked);
    const shareId = await owner.share(sessionId, [1, 2], "Walls <1> {question}");

    const viewport = { width, height: 800 };
    const context = await browser.newContext({ baseURL: stack.server.origin, viewport, locale });
    const page = await context.newPage();
    const letFilesGo = await holdFiles(page);
    await page.goto(`/share/${shareId}`, { waitUntil: "commit" });
    const opening = page.locator("#opening");
    await expect(opening).toBeVisible();
    await expect(opening).toContainText("Walls <1> {question}");
    await expect(opening.getByText(warning)).toBeVisible();
    const before = await partsOf(page, "#opening");
    await expect(page.locator("#page-mark")).toBeVisible();
    const gone = await framesWithout(page, '[class^="bubble-"]');
    letFilesGo();
    await expect(opening).toHaveCount(0);
    await expect(page.locator('[data-message-id="2"]')).toBeVisible();
    expect(await partsOf(page, "#root")).toEqual(before);
    expect(await gone()).toBe(0);
    await context.close();

    // Who is signed in has another page, and is shown none of this.
    const own = await openAs(owner);
    const letOwnFilesGo = await holdFiles(own);
    await own.goto(`/share/${shareId}`, { waitUntil: "commit" });
    await expect(own.locator("#page-mark")).toBeVisible();
    await expect(own.locator("#opening")).toBeHidden();
    const mark = await own.locator("#page-mark").boundingBox();
    expect(mark).toMatchObject({ y: 0, height: own.viewportSize()?.height });
    letOwnFilesGo();
    await expect(new ChatPage(own).replies).toHaveCount(1);
  });

test("what came with a share's page lies over nothing that can be used", async ({
  openAs,
  stack,
  calls,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(/./u);
  const owner = await ApiAccount.signUp(stack);
  const sessionId = await owner.ask("What is a plumb line?");
  const shareId = await owner.share(sessionId, [1, 2], "Walls");
  const page = await openAs(null);
  const chat = new ChatPage(page);
  const opening = page.locator("#opening");

  // The content does not come: the page is there around the question.
  let letContentGo = (): void => {};
  const held = new Promise<void>((resolve) => (letContentGo = resolve));
  await page.route("**/api/v0/share/content*", (route) => held.then(() => route.continue()));
  await page.goto(`/share/${shareId}`);
  await expect(page.getByRole("link", { name: chat.text("shared.signIn") })).toBeVisible();
  await expect(opening.getByText("What is a plumb line?")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Walls" })).toBeVisible();
  await expect(opening.locator('[class^="banner-"]')).toBeHidden();
  await page.getByRole("link", { name: chat.text("shared.signIn") }).click();
  await expect(page).toHaveURL(/\/sign_in/u);
  await expect(opening).toHaveCount(0);
  letContentGo();

  // The scripts do not come.
  await page.route(/\/static\/assets\/.*\.js$/u, (route) => route.abort());
  await page.goto(`/share/${shareId}`);
  await expect(opening).toBeHidden();
  await page.unroute(/\/static\/assets\/.*\.js$/u);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(chat.replies).toHaveCount(1);
});

test("a share is read by the keys that scroll from where it opens", async ({ openAs, stack, calls }) => {
  calls.expect({ answer: 1 });
  const owner = await ApiAccount.signUp(stack);
  const sessionId = await owner.ask("What is a plumb line? ".repeat(200));
  const shareId = await owner.share(sessionId, [1, 2]);
  for (const reader of [null, await ApiAccount.signUp(stack)]) {
    const page = await openAs(reader, { path: `/share/${shareId}` });
    const chat = new ChatPage(page);
    await expect(chat.replies).toHaveCount(1);
    // The words that came with the page have gone.
    await expect(page.locator("main")).not.toHaveAttribute("data-opening");
    const top = () => chat.conversation.evaluate((scroller) => scroller.scrollTop);
    await page.keyboard.press("PageDown");
    await expect.poll(top).toBeGreaterThan(100);
    await page.keyboard.press("Home");
    await expect.poll(top).toBe(0);
    // Without a ring round all that is read, until one comes there by Tab.
    const ring = () => chat.conversation.evaluate((scroller) => getComputedStyle(scroller).outlineStyle);
    expect(await ring()).toBe("none");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    await expect(chat.conversation).toBeFocused();
    expect(await ring()).not.toBe("none");
  }
});

test("without script a share's page leads to it as plain text", async ({ stack, browser, calls }) => {
  calls.expect({ answer: 1 });
  const account = await ApiAccount.signUp(stack);
  const sessionId = await account.ask("How high is the wall?");
  const id = await account.share(sessionId, [1, 2]);
  const context = await browser.newContext({ baseURL: stack.server.origin, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`/share/${id}`);
  const link = page.getByRole("link", { name: "as plain text" });
  await expect(link).toBeInViewport();
  await expect(page.locator("#page-mark")).toBeHidden();
  await expect(page.locator("#opening")).toBeHidden();
  await link.click();
  await expect(page.locator("body")).toContainText("How high is the wall?");
  await context.close();
});

test("one's links stand in the settings, each with its chat and its day, and one is deleted after a question [ACCT-021] [SHARE-035] [SHARE-036]", async ({
  openAs,
  stack,
  calls,
}) => {
  calls.expect({ answer: 1 });
  const account = await ApiAccount.signUp(stack);
  const sessionId = await account.ask("What is a plumb line?");
  const shareId = await account.share(sessionId, [1, 2], "Walls");
  const page = await openAs(account);
  const chat = new ChatPage(page);
  const sidebar = new Sidebar(page);
  const settings = page.getByRole("dialog", { name: chat.text("settings.title") });
  const openData = async () => {
    await sidebar.accountAction("profile.settings");
    await settings.getByRole("tab", { name: chat.text("settings.data") }).click();
    await expect(settings.getByRole("button", { name: chat.text("data.deleteAllButton") })).toBeVisible();
  };
  const manage = settings.getByRole("button", { name: chat.text("data.manage") });

  await page.goto(`/share/${shareId}`);
  await expect(page.getByRole("note")).toHaveText(chat.text("shared.ownBanner"));
  await page.goto("/");
  await openData();
  await manage.click();
  const dialog = page.getByRole("dialog", { name: chat.text("data.sharedLinks") });
  const row = dialog.getByRole("listitem");
  await expect(row).toHaveText(/^WallsShared [A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d\s[AP]M1 question$/);
  await expect(row.getByRole("link", { name: "Walls" })).toHaveAttribute("href", `/share/${shareId}`);
  await expectAccessible(page, "one's links");
  const remove = row.getByRole("button", { name: chat.text("shareLinks.deleteNamed", { title: "Walls" }) });
  const asked = page.getByRole("dialog", { name: chat.text("shareLinks.deleteTitle") });
  await remove.click();
  await asked.getByRole("button", { name: chat.text("common.cancel") }).click();
  await expect(asked).toHaveCount(0);
  await expect(row).toHaveCount(1);
  await expect(remove).toBeFocused();
  await remove.press("Enter");
  await asked.getByRole("button", { name: chat.text("common.delete") }).click();
  await expect(page.getByText(chat.text("shareLinksManageDeleteOkToast"))).toBeVisible();
  await expect(dialog).toContainText(chat.text("shareLinks.empty"));
  await dialog.getByRole("button", { name: chat.text("settings.back") }).press("Enter");
  await expect(manage).toBeFocused();

  await page.goto(`/share/${shareId}`);
  await expect(page).toHaveURL("/share/invalid");

  // Where nothing can be shared there are no links, either.
  await changeSettings(page, ({ flags }) => (flags["enableShare"] = false));
  await page.goto("/");
  await openData();
  await expect(manage).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("turns are chosen by touch; how many is told, and not shown [SHARE-014]", async ({
    openAs,
    stack,
    calls,
  }) => {
    calls.expect({ answer: 1 });
    const account = await ApiAccount.signUp(stack);
    const sessionId = await account.ask("What is a plumb line?");
    const page = await openAs(account, { path: `/a/chat/s/${sessionId}` });
    const chat = new ChatPage(page);
    await chat.replies
      .first()
      .getByRole("button", { name: chat.text("common.share") })
      .tap();
    await expect(boxes(page).nth(1)).toBeChecked();
    const count = page.getByText(chat.text("shareSelect.count_one", { count: 1 }));
    const size = async () => (await count.boundingBox())?.width ?? 0;
    expect(await size()).toBeLessThanOrEqual(1);
    await boxes(page).nth(0).tap();
    await expect(boxes(page).nth(1)).not.toBeChecked();
    await page.getByRole("checkbox", { name: chat.text("shareSelect.all") }).tap();
    await expectAccessible(page, "choosing what is shared on a phone");
    await page.setViewportSize({ width: 640, height: 844 });
    await expect.poll(size).toBeGreaterThan(60);
    await chat.button("common.cancel").tap();
    await expect(boxes(page)).toHaveCount(0);
  });
});
