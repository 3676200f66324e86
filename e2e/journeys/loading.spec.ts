// What shows while something loads, when it fails, and when the page itself breaks.
import type { Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

const HISTORY = "**/api/v0/chat/history_messages*";
const PAGE = "**/api/v0/chat_session/fetch_page*";

/** Lets the page do what it has put off to its next tasks, so that its timers are set before time is moved. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", resolve, { once: true });
        port1.start();
        port2.postMessage(null);
      });
    }
  });
}

/** Holds the answers of an address back until released. */
async function hold(page: Page, address: string): Promise<() => void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test("the mark is in the page itself and shows while its script takes its time", async ({ chat, stack }) => {
  const { page } = chat;
  const mark = page.locator("#page-mark");
  await expect(chat.composer).toBeVisible();
  await expect(mark).toBeHidden();
  const release = await hold(page, "**/static/assets/*.js");
  await page.goto(stack.origin, { waitUntil: "commit" });
  await expect(mark).toBeVisible();
  release();
  await expect(chat.composer).toBeVisible();
  await expect(mark).toBeHidden();
});

test("the title has a skeleton while neither the history nor the list is there, and the chat a spinner [SHELL-048]", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sessionId = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  const release = await hold(page, HISTORY);
  const releaseList = await hold(page, PAGE);
  await page.goto(`/a/chat/s/${sessionId}`);
  const header = page.locator("main header");
  const title = page.getByRole("textbox", { name: chat.text("header.title") });
  await expect(header.locator("span[aria-hidden]")).toHaveCount(1);
  await expect(title).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: chat.text("conversation.loading") })).toBeVisible();
  // The list knows the title: it is shown before the history has come.
  releaseList();
  await expect(title).toBeVisible();
  await expect(header.locator("span[aria-hidden]")).toHaveCount(0);
  await expect(chat.questions).toHaveCount(0);
  release();
  await expect(chat.questions).toHaveText(question);
});

test("a history that fails to load shows an error, and a press retries [SESS-044]", async ({
  openAs,
  account,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(refusedWith(500));
  const sessionId = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await page.route(HISTORY, (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto(`/a/chat/s/${sessionId}`);
  const alert = page.getByRole("alert").filter({ hasText: chat.text("conversation.loadFailed") });
  await expect(alert).toBeVisible();
  await expectAccessible(page, "a history that failed");
  await page.unroute(HISTORY);
  await alert.getByRole("button", { name: chat.text("common.retry") }).click();
  await expect(chat.questions).toHaveText(question);
  await expect(alert).toHaveCount(0);

  // The next time there is a copy of it: what failed is said below, where one looks.
  await page.route(HISTORY, (route) => route.fulfill({ status: 500, body: "" }));
  await page.reload();
  const notNewest = page.getByRole("alert").filter({ hasText: chat.text("conversation.notNewest") });
  await expect(notNewest).toBeVisible();
  await expect(alert).toHaveCount(0);
  const reply = await chat.lastReply.boundingBox();
  expect((await notNewest.boundingBox())?.y).toBeGreaterThan(reply?.y ?? Infinity);
  await expectAccessible(page, "a copy whose check failed");
  await page.unroute(HISTORY);
  await notNewest.getByRole("button", { name: chat.text("common.retry") }).click();
  await expect(notNewest).toHaveCount(0);
});

test("four rows of skeleton show after 800 ms of waiting for the chats, and for 500 ms at least [SESS-022]", async ({
  openAs,
  stack,
  consoleWatch,
}) => {
  consoleWatch.allow(refusedWith(500));
  const page = await openAs(await ApiAccount.signUp(stack));
  const sidebar = new Sidebar(page);
  await page.clock.install();
  await page.route(PAGE, (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto("/");
  const retry = sidebar.navigation.getByRole("button", { name: sidebar.text("common.retry") });
  await expect(retry).toBeVisible();
  await page.unroute(PAGE);
  const release = await hold(page, PAGE);
  const skeleton = page.getByRole("status", { name: sidebar.text("sidebar.loading") });
  const rows = skeleton.locator("span[aria-hidden]");
  // From here on time passes only when told: before the press nothing was loading.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await retry.click();
  await expect(retry).toHaveCount(0);
  await settle(page);
  await page.clock.runFor(799);
  await expect(skeleton).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(rows).toHaveCount(4);
  release();
  await expect(skeleton).toHaveAttribute("aria-busy", "false");
  await settle(page);
  await page.clock.runFor(499);
  await expect(rows).toHaveCount(4);
  const empty = sidebar.navigation.getByText(sidebar.text("sidebar.empty"));
  await expect(empty).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(skeleton).toHaveCount(0);
  await expect(empty).toBeVisible();
  await page.clock.resume();
});

test("a page that breaks shows an error, its cause to developers only, and can be left or loaded again [ERR-039] [ERR-040] [ERR-041]", async ({
  openAs,
  account,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(/TypeError/, /The above error occurred/, /error boundary/i);
  const sessionId = await account.ask(question);
  await account.rename(sessionId, "It breaks");
  const page = await openAs(account);
  const chat = new ChatPage(page);
  const sidebar = new Sidebar(page);
  await page.route(HISTORY, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as {
      data: { biz_data: { chat_messages: { fragments: unknown }[] } };
    };
    for (const message of body.data.biz_data.chat_messages) message.fragments = null;
    await route.fulfill({ response, json: body });
  });
  const broken = page.getByRole("alert").filter({ hasText: chat.text("errorPage.title") });
  const details = broken.locator("pre");

  await sidebar.row("It breaks").click();
  await expect(broken).toBeVisible();
  await expect(details).toHaveCount(0);
  await expectAccessible(page, "a page that broke");
  await broken.getByRole("button", { name: chat.text("common.cancel") }).click();
  // The cause is still there.
  await expect(broken).toBeVisible();

  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).click({ clickCount: 5 });
  await sidebar.row("It breaks").click();
  await expect(details).toContainText("TypeError");
  await page.unroute(HISTORY);
  await broken.getByRole("button", { name: chat.text("errorPage.reload") }).click();
  await expect(chat.questions).toHaveText(question);
});

test("after a fault of the page's DOM it reloads itself, once in a tab [ERR-042]", async ({
  chat,
  sidebar,
  consoleWatch,
}) => {
  consoleWatch.allow(/NotFoundError/, /The above error occurred/, /error boundary/i);
  const { page } = chat;
  await expect(chat.composer).toBeVisible();
  // As a translator of pages does it: text is wrapped, and what React knows is no longer there. The first change of the page
  // then fails: that of the sidebar, or one that came by itself before.
  const spoil = () =>
    page.evaluate(() => {
      const { removeChild, insertBefore } = Node.prototype;
      const refuse = () => {
        Node.prototype.removeChild = removeChild;
        Node.prototype.insertBefore = insertBefore;
        throw new DOMException(
          "Failed to execute 'removeChild' on 'Node': it is not a child",
          "NotFoundError",
        );
      };
      Node.prototype.removeChild = refuse;
      Node.prototype.insertBefore = refuse;
      document.querySelector<HTMLElement>("#sidebar-toggle, nav button")?.click();
    });
  const loaded = page.waitForEvent("load");
  await spoil();
  await loaded;
  await expect(chat.composer).toBeVisible();
  await spoil();
  await expect(page.getByRole("alert").filter({ hasText: sidebar.text("errorPage.title") })).toBeVisible();
});

test("a session's spinner shows after 500 ms of waiting, and for 200 ms at least [SESS-023]", async ({
  openAs,
  account,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(refusedWith(500));
  const sessionId = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await page.clock.install();
  await page.route(HISTORY, (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto(`/a/chat/s/${sessionId}`);
  const retry = chat.conversation.getByRole("button", { name: chat.text("common.retry") });
  await expect(retry).toBeVisible();
  await page.unroute(HISTORY);
  const release = await hold(page, HISTORY);
  const spinner = chat.conversation
    .getByRole("status")
    .filter({ hasText: chat.text("conversation.loading") });
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await retry.click();
  await expect(retry).toHaveCount(0);
  await settle(page);
  await page.clock.runFor(499);
  await expect(spinner).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(spinner).toBeVisible();
  release();
  await expect(chat.questions).toHaveText(question);
  await settle(page);
  await page.clock.runFor(199);
  await expect(spinner).toBeVisible();
  await page.clock.runFor(1);
  await expect(spinner).toHaveCount(0);
  await page.clock.resume();
});

test("a chat's whole title shows when it is pointed at for 500 ms [SESS-024]", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  await account.rename(await account.ask(question), "WIDE TITLES ARE WIDER THAN ROWS");
  const page = await openAs(account);
  const sidebar = new Sidebar(page);
  const tooltip = page.getByRole("tooltip");
  await page.clock.install();
  await page.reload();
  // The code of tooltips comes with the first move of the pointer.
  await sidebar.row("WIDE TITLES ARE WIDER THAN ROWS").hover();
  await expect(tooltip).toHaveText("WIDE TITLES ARE WIDER THAN ROWS");
  await page.mouse.move(720, 200);
  await expect(tooltip).toHaveCount(0);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await sidebar.row("WIDE TITLES ARE WIDER THAN ROWS").hover();
  await settle(page);
  await page.clock.runFor(499);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip).toHaveText("WIDE TITLES ARE WIDER THAN ROWS");
  await page.clock.resume();
});

test("a first question on a slow line keeps the welcome until the turns can be drawn", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "Here again." });
  const page = await openAs(account, { path: "/version.txt" });
  const chat = new ChatPage(page);
  const release = await hold(page, "**/static/assets/conversation-*.js");
  const releaseAsk = await hold(page, "**/api/v0/chat/completion");
  await page.goto("/");
  const welcome = page.getByRole("heading", { name: chat.text("welcome.chat") });
  const asked = page.waitForRequest("**/api/v0/chat/completion");
  await chat.send(question);
  await asked;
  await expect(chat.composer).toHaveValue("");
  await expect(welcome).toBeVisible();
  releaseAsk();
  await chat.sessionId();
  await expect(welcome).toBeVisible();
  release();
  await expect(chat.questions).toHaveText([question]);
  await expect(welcome).toHaveCount(0);
  await expect(chat.lastReply).toContainText("Here again.");
});
