// The frame of the page: what leads where, what folds by itself, what it remembers.
import { ApiAccount } from "../support/api-account.ts";
import { changeSettings } from "../support/change-settings.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

test("chats stand beside a sidebar whose logo and button lead to a new chat, which has no such button [SHELL-001] [SHELL-035] [SHELL-037] [SHELL-038]", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sessionId = await account.ask(question);
  const page = await openAs(account, { path: `/a/chat/s/${sessionId}` });
  const chat = new ChatPage(page);
  const { navigation } = new Sidebar(page);
  const newChat = navigation.getByRole("button", { name: chat.text("common.newChat") });
  await expect(chat.questions).toHaveText(question);
  await newChat.click();
  await expect(page).toHaveURL("/");
  await expect(newChat).toHaveCount(0);
  await page.goBack();
  await expect(chat.questions).toHaveText(question);
  await navigation.getByRole("link", { name: "Plumb", exact: true }).click();
  await expect(page).toHaveURL("/");
  await expect(newChat).toHaveCount(0);
  await page.getByRole("link", { name: chat.text("welcome.toCoder") }).click();
  await expect(page).toHaveURL("/a/coder");
  await expect(chat.composer).toBeVisible();
  await expect(navigation).toBeVisible();
});

test("where the operator lets guests see it, the root greets them and leads to sign-in [SHELL-004]", async ({
  openAs,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  await changeSettings(page, (settings) => (settings.flags["guestWelcome"] = true));
  const chat = new ChatPage(page);
  // What was kept of the settings before is what a page goes by first.
  const settings = page.waitForResponse(/client\/settings/);
  await page.reload();
  await settings;
  await page.goto("/a/coder");
  await expect(page.getByRole("heading", { name: chat.text("welcome.coder") })).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: chat.text("welcome.chat") })).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expectAccessible(page, "an agent's home for guests");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, "an agent's home for guests on a phone");
  await page.getByRole("link", { name: chat.text("composer.placeholder") }).click();
  await expect(page).toHaveURL("/sign_in");
});

test("below 1024 px the sidebar folds by itself, with the avatar where a flag wants it [SHELL-040] [SHELL-042]", async ({
  chat,
  sidebar,
}) => {
  const { page } = chat;
  const avatar = sidebar.navigation.getByRole("button", {
    name: new RegExp(`^${chat.text("profile.menu")}`),
  });
  await expect(chat.button("sidebar.collapse")).toBeVisible();
  await page.setViewportSize({ width: 1023, height: 800 });
  await expect(chat.button("sidebar.expand")).toBeVisible();
  await expect(avatar).toHaveCount(0);
  await page.setViewportSize({ width: 1024, height: 800 });
  await expect(chat.button("sidebar.collapse")).toBeVisible();

  await changeSettings(page, ({ flags }) => (flags["enableAvatarWhenCollapse"] = true));
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.reload();
  await expect(avatar).toBeVisible();
  await expectAccessible(page, "rail with avatar");
});

test("the app for phones is met in the menu, with a code for cameras, and in the header of a phone [SHELL-045] [SHELL-046] [SHELL-049] [NOTE-026]", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sessionId = await account.ask(question);
  const page = await openAs(account, { path: "/sign_in" });
  const chat = new ChatPage(page);
  const app = { ios: null, android: null, page: "https://app.example/get" };
  await changeSettings(page, (settings) => {
    settings.app_download = app;
    for (const links of Object.values(settings.links)) links.contact_email = "help@example.org";
  });
  await page.goto(`/a/chat/s/${sessionId}`);
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`, "u") }).click();
  const menu = page.getByRole("menu");
  for (const key of ["profile.app", "profile.settings", "profile.help", "profile.logout"] as const)
    await expect(menu.getByRole("menuitem", { name: chat.text(key) })).toBeVisible();
  const code = menu.locator(`svg[aria-label="${chat.text("profile.app")}"]`);
  await expect(code).toBeHidden();
  const item = menu.getByRole("menuitem", { name: chat.text("profile.app") });
  await expect(item).toHaveAttribute("href", app.page);
  await item.hover();
  await expect(code).toBeVisible();
  await expectAccessible(page, "menu with the app's code");
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 390, height: 740 });
  const header = page.locator("main header");
  await expect(header.getByRole("button", { name: chat.text("header.openSidebar") })).toBeVisible();
  await expect(header.getByRole("link", { name: chat.text("profile.app") })).toHaveAttribute(
    "href",
    app.page,
  );
  await expect(header.getByRole("button", { name: chat.text("common.newChat") })).toBeVisible();
  await expectAccessible(page, "header with the app");
});

test("five quick taps on the greeting toggle the debug panel and the numbers of messages [SHELL-053] [SHELL-054]", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const greeting = chat.page.getByRole("heading", { level: 1 });
  const panel = chat.page.getByRole("complementary", { name: chat.text("debug.title") });
  await greeting.click({ clickCount: 4 });
  await expect(panel).toHaveCount(0);
  await greeting.click();
  await expect(panel).toContainText("session: new:chat");
  await expectAccessible(chat.page, "debug panel");
  await chat.send(question);
  await chat.finished();
  const ids = chat.conversation.locator("code").filter({ hasText: /^#\d+$/ });
  await expect(ids).toHaveText(["#1", "#2"]);
  await expect(panel).toContainText("on show: 1 › 2");
  await panel.getByRole("button", { name: chat.text("common.close") }).click();
  await expect(panel).toHaveCount(0);
  await expect(ids).toHaveCount(0);
});

test("six hours hidden end with a new chat, a moment less does not [SHELL-024]", async ({ chat }) => {
  const { page } = chat;
  const beAway = (ms: number) =>
    page.evaluate((time) => {
      const see = (hidden: boolean) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      };
      const now = Date.now();
      const { now: real } = Date;
      Date.now = () => now;
      see(true);
      Date.now = () => now + time;
      see(false);
      Date.now = real;
    }, ms);
  await chat.composer.fill("half a thought");
  await beAway(21_599_999);
  await expect(chat.composer).toHaveValue("half a thought");
  await page.keyboard.press("Control+/");
  await expect(page.getByRole("dialog")).toBeVisible();
  await beAway(21_600_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(chat.composer).toHaveValue("");
  await expect(page).toHaveURL("/");
});

test("a dialog has a title, a button that closes it, and a footer where it needs one [SHELL-056]", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sessionId = await account.ask(question);
  await account.rename(sessionId, "A title of its own");
  const page = await openAs(account);
  const sidebar = new Sidebar(page);
  const dialog = page.getByRole("dialog");
  const close = dialog.getByRole("button", { name: sidebar.text("common.close") });
  await sidebar.rowAction("A title of its own", "common.delete");
  await expect(dialog.getByRole("heading", { name: sidebar.text("sidebar.deleteTitle") })).toBeVisible();
  await expect(dialog.locator("footer").getByRole("button")).toHaveText([
    sidebar.text("common.cancel"),
    sidebar.text("common.delete"),
  ]);
  await close.click();
  await expect(dialog).toHaveCount(0);
  await sidebar.accountAction("profile.settings");
  await expect(dialog.getByRole("heading", { name: sidebar.text("settings.title") })).toBeVisible();
  await expect(dialog.locator("footer")).toHaveCount(0);
  // Four tabs, which account.spec.ts names.
  await expect(dialog.getByRole("tab")).toHaveCount(4);
  await close.click();
  await expect(dialog).toHaveCount(0);
});

test("both modes are chosen beside the text of two rows, one at a time, and remembered [ENG-024] [ENG-031] [ENG-035]", async ({
  chat,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  await changeSettings(page, (settings) => {
    settings.search.available = true;
    for (const agent of settings.agents) agent.search = true;
  });
  await page.reload();
  await expect(chat.composer).toHaveAttribute("rows", "2");
  const thinking = chat.button("composer.thinking");
  const search = chat.button("composer.search");
  await search.click();
  await expect(search).toHaveAttribute("aria-pressed", "true");
  await thinking.click();
  await expect(thinking).toHaveAttribute("aria-pressed", "true");
  await expect(search).toHaveAttribute("aria-pressed", "false");
  await page.reload();
  await expect(thinking).toHaveAttribute("aria-pressed", "true");
  await chat.send(question);
  await chat.finished();
  const { message } = await account.lastReply(await chat.sessionId());
  expect(message.thinking_enabled).toBe(true);
});

test("the toggle of deep thinking shows how much of it is left today [ENG-027]", async ({
  openAs,
  stack,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const page = await openAs(await ApiAccount.signUp(stack));
  const chat = new ChatPage(page);
  const tooltip = page.getByRole("tooltip");
  const left = (count: number) => chat.text("composer.thinkingLeft", { left: count, quota: 50 });
  await chat.button("composer.thinking").hover();
  await expect(tooltip).toHaveText(left(50));
  await chat.setThinking(true);
  await chat.send(question);
  await chat.finished();
  await page.mouse.move(720, 200);
  await chat.button("composer.thinking").hover();
  await expect(tooltip).toHaveText(left(49));
});

test("times, sizes and scrollbars are those of the product [SHELL-059] [SHELL-068] [ERR-035] [REND-015]", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sessionId = await account.ask(question);
  const page = await openAs(account, { path: `/a/chat/s/${sessionId}` });
  const chat = new ChatPage(page);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const token = (name: string) =>
    page.evaluate((key) => getComputedStyle(document.documentElement).getPropertyValue(key), name);
  // As the build writes them: ".1s" is 100 ms.
  expect([await token("--fade"), await token("--slide")].map(Number.parseFloat)).toEqual([0.1, 0.2]);
  const scrollbar = await chat.conversation.evaluate((region) => {
    const { width, height } = getComputedStyle(region, "::-webkit-scrollbar");
    return [width, height, getComputedStyle(region, "::-webkit-scrollbar-thumb").minHeight];
  });
  expect(scrollbar).toEqual(["8px", "8px", "24px"]);
  const size = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect((await size("article p")) / (await size("body"))).toBeCloseTo(1.143, 3);

  await page.goto("/a/chat/s/00000000-0000-4000-8000-000000000000");
  const toast = page.getByRole("status").filter({ hasText: chat.text("chatNotFound") });
  const box = await toast.boundingBox();
  // Under the header, whose title it would cover.
  expect(box?.y).toBe(60);
  expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(720, 0);
  const animation = await toast
    .locator("div")
    .first()
    .evaluate((element) => getComputedStyle(element).animationDuration);
  expect(animation).toBe("0.1s");
});

test("F12 is kept from a text field and from nothing else, unless the operator allows it [PLAT-028]", async ({
  chat,
}) => {
  const { page } = chat;
  const pressed = async (selector: string) => {
    await page.locator(selector).first().focus();
    return page.evaluate(() => {
      const event = new KeyboardEvent("keydown", { key: "F12", bubbles: true, cancelable: true });
      return !document.activeElement?.dispatchEvent(event);
    });
  };
  await expect(chat.composer).toBeVisible();
  const logged = page.waitForEvent("console", (message) => message.text().includes("F12"));
  expect(await pressed("textarea")).toBe(true);
  await logged;
  expect(await pressed("nav button")).toBe(false);
  await changeSettings(page, ({ flags }) => (flags["preventF12"] = false));
  const told = page.waitForResponse("**/api/v0/client/settings*");
  await page.reload();
  await told;
  await expect(chat.composer).toBeVisible();
  await expect.poll(() => pressed("textarea")).toBe(false);
});

test("a removed body is put back, five times in a second at most [ERR-043]", async ({ chat }) => {
  const { page } = chat;
  await chat.composer.fill("still here");
  const takeAway = () =>
    page.evaluate(async () => {
      document.body.remove();
      await new Promise((resolve) => setTimeout(resolve, 0));
      return document.body !== null;
    });
  expect(await takeAway()).toBe(true);
  await expect(chat.composer).toHaveValue("still here");
  const restored = await page.evaluate(async () => {
    // The clock stands still, so that the speed of the machine does not matter.
    const { now } = performance;
    const at = now.call(performance) + 10_000;
    performance.now = () => at;
    let count = 0;
    for (let time = 0; time < 6; time += 1) {
      document.body?.remove();
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (document.body !== null) count += 1;
    }
    return count;
  });
  expect(restored).toBe(5);
  await page.reload();
  await expect(chat.composer).toBeVisible();
});
