// The browser's Back, on a phone a button or a stroke of a finger: it closes what lies over the page, the topmost first.
import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

test("Back closes a dialog, of two the upper one, and then leaves the page", async ({ chat, sidebar }) => {
  const { page } = chat;
  await page.getByRole("link", { name: chat.text("welcome.toCoder") }).click();
  await expect(page).toHaveURL("/a/coder");
  await sidebar.accountAction("profile.settings");
  const settings = page.getByRole("dialog", { name: chat.text("settings.title") });
  await settings.getByRole("tab", { name: chat.text("account.tab") }).click();
  await settings.getByRole("button", { name: chat.text("account.deleteButton") }).click();
  const asked = page.getByRole("dialog", { name: chat.text("account.deleteTitle") });
  await expect(asked).toBeVisible();
  await page.goBack();
  await expect(asked).toHaveCount(0);
  await expect(settings).toBeVisible();
  await expect(page).toHaveURL("/a/coder");
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL("/a/coder");
  await page.goBack();
  await expect(page).toHaveURL("/");
});

test("a dialog that was closed in another way leaves nothing to go back through", async ({
  chat,
  sidebar,
}) => {
  const { page } = chat;
  await page.getByRole("link", { name: chat.text("welcome.toCoder") }).click();
  await expect(page).toHaveURL("/a/coder");
  const settings = page.getByRole("dialog", { name: chat.text("settings.title") });
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => settings.getByRole("button", { name: chat.text("common.close") }).click(),
  ]) {
    await sidebar.accountAction("profile.settings");
    await expect(settings).toBeVisible();
    await close();
    await expect(settings).toHaveCount(0);
  }
  // A sub-screen is a step of its own.
  await sidebar.accountAction("profile.settings");
  await settings.getByRole("tab", { name: chat.text("account.tab") }).click();
  await settings.getByRole("button", { name: chat.text("account.manage") }).click();
  await expect(page.getByRole("dialog", { name: chat.text("account.signIns") })).toBeVisible();
  await page.goBack();
  await expect(settings).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // A reload at once is not ended by anything that comes later, and one with a dialog open leaves no step without effect.
  await sidebar.accountAction("profile.settings");
  await page.keyboard.press("Escape");
  await page.reload();
  await sidebar.accountAction("profile.settings");
  await expect(settings).toBeVisible();
  await page.reload();
  await expect(chat.composer).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL("/");
});

test("a dialog over a chat that is being made is closed by one step, and the chat stays", async ({
  chat,
  sidebar,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  const made = Promise.withResolvers<void>();
  await page.route("**/chat_session/create", async (route) => {
    await made.promise;
    await route.continue();
  });
  await chat.send(question);
  await sidebar.accountAction("profile.settings");
  const settings = page.getByRole("dialog", { name: chat.text("settings.title") });
  await expect(settings).toBeVisible();
  made.resolve();
  await expect(page).toHaveURL(/\/s\//);
  // The entry of the dialog comes in the task after that of the chat.
  await expect.poll(() => page.evaluate(() => (history.state as { layers?: number } | null)?.layers)).toBe(1);
  const address = page.url();
  await page.goBack();
  await expect(settings).toHaveCount(0);
  await expect(page).toHaveURL(address);
  await expect(chat.questions).toHaveText([question]);
});

test("a chat that is deleted from a dialog, and one that is found in one, are left by one step", async ({
  stack,
  openAs,
  calls,
}) => {
  calls.expect({ answer: 2 });
  const account = await ApiAccount.signUp(stack);
  const first = await account.ask("Where do larches grow?");
  await account.rename(first, "Larches");
  const second = await account.ask("Where do spruces grow?");
  await account.rename(second, "Spruces");
  const page = await openAs(account, { path: "/a/coder" });
  const [chat, sidebar] = [new ChatPage(page), new Sidebar(page)];
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Larches");
  await page.getByRole("option", { name: "Larches" }).first().click();
  await expect(page).toHaveURL(`/a/chat/s/${first}`);
  await expect(chat.questions).toHaveText(["Where do larches grow?"]);
  // The same again adds no step.
  await sidebar.row("Larches").click();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Larches");
  await page.getByRole("option", { name: "Larches" }).first().click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await sidebar.row("Larches").click();
  await page.goBack();
  await expect(page).toHaveURL("/a/coder");
  await page.goForward();
  await expect(page).toHaveURL(`/a/chat/s/${first}`);

  await sidebar.rowAction("Larches", "common.delete");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: sidebar.text("common.delete") })
    .click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL("/");
  await sidebar.row("Spruces").click();
  await expect(page).toHaveURL(`/a/chat/s/${second}`);
  await page.goBack();
  await expect(page).toHaveURL("/");
});

test("HTML that has moved by itself in the covering panel leaves a page that goes on", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  await page.setViewportSize({ width: 900, height: 800 });
  const html = `<button style="width:300px;height:200px" onclick="location.hash='#/'+Math.random()">Next</button>`;
  upstream.script({ match: { user: question }, answer: `\`\`\`html\n${html}\n\`\`\`` });
  await chat.send(question);
  await chat.finished();
  await chat.lastReply.getByRole("button", { name: chat.text("markdown.run") }).click();
  const panel = page.getByRole("dialog");
  await expect.poll(() => page.evaluate(() => history.state?.layers)).toBe(1);
  const steps = await page.evaluate(() => history.length);
  await panel.frameLocator("iframe").getByRole("button").click();
  await expect.poll(() => page.evaluate(() => history.length)).toBe(steps + 1);
  await panel.getByRole("button", { name: chat.text("common.close") }).click();
  await expect(panel).toHaveCount(0);
  await page.keyboard.press("Control+j");
  await expect(page).toHaveURL("/");
  await expect(chat.questions).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("Back closes the sheet of chats and the choosing of what is shared; a chat chosen in the sheet is one step", async ({
    stack,
    openAs,
    calls,
  }) => {
    calls.expect({ answer: 2 });
    const account = await ApiAccount.signUp(stack);
    const first = await account.ask("Where do larches grow?");
    await account.rename(first, "Larches");
    const second = await account.ask("Where do spruces grow?");
    await account.rename(second, "Spruces");
    const page = await openAs(account, { path: `/a/chat/s/${first}` });
    const [chat, sidebar] = [new ChatPage(page), new Sidebar(page)];
    await expect(chat.replies).toHaveCount(1);
    const sheet = page.getByRole("dialog");
    await chat.button("header.openSidebar").tap();
    await expect(sheet).toBeVisible();
    await page.goBack();
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(`/a/chat/s/${first}`);

    await chat.replies
      .first()
      .getByRole("button", { name: chat.text("common.share") })
      .tap();
    const choosing = page.getByRole("heading", { name: chat.text("shareSelect.title") });
    await expect(choosing).toBeVisible();
    await page.goBack();
    await expect(choosing).toHaveCount(0);
    await expect(page).toHaveURL(`/a/chat/s/${first}`);

    await chat.button("header.openSidebar").tap();
    await sidebar.row("Spruces").tap();
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(`/a/chat/s/${second}`);
    await page.goBack();
    await expect(page).toHaveURL(`/a/chat/s/${first}`);
    await expect(sheet).toHaveCount(0);
    await expect(chat.questions).toHaveText(["Where do larches grow?"]);
  });

  test("a chat that is deleted from the sheet leaves no step but its own", async ({
    stack,
    openAs,
    calls,
  }) => {
    calls.expect({ answer: 2 });
    const account = await ApiAccount.signUp(stack);
    const first = await account.ask("Where do larches grow?");
    await account.rename(first, "Larches");
    const second = await account.ask("Where do spruces grow?");
    await account.rename(second, "Spruces");
    const page = await openAs(account, { path: `/a/chat/s/${first}` });
    const [chat, sidebar] = [new ChatPage(page), new Sidebar(page)];
    await expect(chat.replies).toHaveCount(1);
    await chat.button("header.openSidebar").tap();
    await sidebar.row("Spruces").tap();
    await expect(page).toHaveURL(`/a/chat/s/${second}`);
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await chat.button("header.openSidebar").tap();
    await page.getByRole("button", { name: sidebar.text("sidebar.rowMenu", { title: "Spruces" }) }).tap();
    await page.getByRole("menuitem", { name: sidebar.text("common.delete"), exact: true }).tap();
    await page
      .getByRole("dialog", { name: sidebar.text("sidebar.deleteTitle") })
      .getByRole("button", { name: sidebar.text("common.delete") })
      .tap();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.goBack();
    await expect(page.getByText(chat.text("chatDeleted"))).toBeVisible();
    await expect(page).toHaveURL("/");
    await page.goBack();
    await expect(page).toHaveURL(`/a/chat/s/${first}`);
    await expect(chat.questions).toHaveText(["Where do larches grow?"]);
    // Forward stops at every entry, and nothing opens.
    await page.goForward();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
