// All that is one's own: exported, saved chat by chat, deleted.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { readZip } from "../../server/test/read-zip.ts";
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { brokenConnection } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { expectStill, noteShifts } from "../support/layout-shifts.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

/** What a press downloads: where it lies, and under which name. */
async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; path: string }> {
  const [saved] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: saved.suggestedFilename(), path: await saved.path() };
}

test("all data is exported, told of when it is there, and downloaded [ACCT-022] [EXP-005] [EXP-006] [EXP-008] [EXP-012]", async ({
  openAs,
  stack,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "94 m." });
  const account = await ApiAccount.signUp(stack);
  const session = await account.ask(question);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await noteShifts(page);
  await page.reload();
  const sidebar = new Sidebar(page);
  const dialog = page.getByRole("dialog", { name: chat.text("settings.title") });
  await sidebar.accountAction("profile.settings");
  await dialog.getByRole("tab", { name: chat.text("settings.general") }).press("ArrowRight");
  await dialog.getByRole("tab", { name: chat.text("account.tab") }).press("ArrowRight");
  const begin = dialog.getByRole("button", { name: chat.text("data.exportButton"), exact: true });
  await expect(begin).toBeEnabled();
  await begin.press("Enter");
  await expect(dialog.getByText(chat.text("data.exportWaiting"))).toBeVisible();
  await expectAccessible(page, "an export that is made");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  // Another page of the browser tells of it, too.
  const notice = page.getByRole("status").filter({ hasText: chat.text("data.exportThere") });
  await expect(notice).toBeVisible({ timeout: 15_000 });
  await expectAccessible(page, "the notice of an export");
  await expectStill(page, "the notice of an export");
  await page.reload();
  await expect(notice).toBeVisible();
  const { name, path } = await download(page, () =>
    notice.getByRole("button", { name: chat.text("data.download") }).click(),
  );
  expect(name).toMatch(/^plumb-export-\d{8}\.zip$/);
  expect((await readZip(path)).get("sessions.json")).toContain(session);
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(chat.composer).toBeVisible();

  await sidebar.accountAction("profile.settings");
  await dialog.getByRole("tab", { name: chat.text("settings.data") }).click();
  await expect(dialog.getByText(chat.text("data.exportAgain"))).toBeVisible();
  await expectAccessible(page, "an export that is there");
  await expect(notice).toHaveCount(0);
  await dialog.getByText(chat.text("data.exportAgain")).click();
  await expect(dialog.getByText(chat.text("data.exportWaiting"))).toBeVisible();
});

test("first opened while the network is away, each row of one's data stands there and comes when it is back", async ({
  openAs,
  account,
  consoleWatch,
}) => {
  consoleWatch.allow(brokenConnection);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await new Sidebar(page).accountAction("profile.settings");
  const dialog = page.getByRole("dialog", { name: chat.text("settings.title") });
  await expect(dialog).toBeVisible();
  await page.context().setOffline(true);
  await dialog.getByRole("tab", { name: chat.text("settings.data") }).click();
  const panel = dialog.getByRole("tabpanel");
  const again = panel.getByRole("button", { name: chat.text("common.retry") });
  await expect(again).toHaveCount(3);
  for (const text of ["account.training", "account.trainingNote", "data.export", "data.exportNote"])
    await expect(panel.getByText(chat.text(text), { exact: true })).toBeVisible();
  await expect(panel.getByText(chat.text("import.label"), { exact: true })).toBeVisible();
  await expectAccessible(page, "one's data without a network");
  await again.first().click();
  await expect(again).toHaveCount(3);
  await expect(page.getByText(chat.text("networkError"))).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(again).toHaveCount(0);
  await expect(panel.getByRole("switch", { name: chat.text("account.training") })).toBeEnabled();
  await expect(
    panel.getByRole("button", { name: chat.text("data.exportButton"), exact: true }),
  ).toBeEnabled();
  await expect(panel.getByRole("button", { name: chat.text("import.choose"), exact: true })).toBeEnabled();
});

test("a chat is saved from its row as Markdown and as JSON, and a reply from its actions", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script(
    { match: { user: question, kind: "answer" }, answer: "It is:\n\n```js\nconst sea = 94;\n```" },
    { match: { user: question, kind: "title" }, answer: "Depth: N/S" },
  );
  const page = await openAs(account, { preferences: { theme: "dark" } });
  const chat = new ChatPage(page);
  const sidebar = new Sidebar(page);
  await chat.send(question);
  await chat.finished();
  const session = await chat.sessionId();
  await expect(sidebar.row("Depth: N/S")).toBeVisible();

  const markdown = await download(page, () => sidebar.rowAction("Depth: N/S", "sidebar.saveMarkdown"));
  expect(markdown.name).toBe("Depth N S.md");
  const text = readFileSync(markdown.path, "utf8");
  expect(text).toMatch(/^# Depth: N\/S\n/);
  expect(text).toContain(`> ${question}`);
  expect(text).toContain("\n\nIt is:\n\n```js\nconst sea = 94;\n```\n");

  const json = await download(page, () => sidebar.rowAction("Depth: N/S", "sidebar.saveJson"));
  expect(json.name).toBe("Depth N S.json");
  expect(JSON.parse(readFileSync(json.path, "utf8"))).toMatchObject([
    { chat_session: { id: session }, chat_messages: [{ role: "USER" }, { role: "ASSISTANT" }] },
  ]);

  const reply = await download(page, () =>
    chat.lastReply.getByRole("button", { name: chat.text("sidebar.saveMarkdown") }).click(),
  );
  expect(reply.name).toBe("Depth N S.md");
  expect(readFileSync(reply.path, "utf8")).toContain("const sea = 94;");
  expect(readFileSync(reply.path, "utf8")).not.toContain(question);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("all chats are deleted after a question, and the open one leads home, in other tabs too [ACCT-023] [EXP-019] [EXP-020]", async ({
    openAs,
    stack,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 2 });
    upstream.script({ match: { user: question }, answer: "好的。" });
    const account = await ApiAccount.signUp(stack);
    const session = await account.ask(question);
    await account.rename(await account.ask(question), "另一个对话");
    const path = `/a/chat/s/${session}`;
    const page = await openAs(account, { path, preferences: { locale: "zh_CN", theme: "dark" } });
    const chat = new ChatPage(page, "zh_CN");
    const sidebar = new Sidebar(page, "zh_CN");
    await expect(chat.lastReply).toContainText("好的");
    const other = await page.context().newPage();
    await other.goto(path);
    await expect(new ChatPage(other, "zh_CN").lastReply).toContainText("好的");
    await page.bringToFront();

    await chat.button("header.openSidebar").tap();
    await sidebar.accountAction("profile.settings");
    const dialog = page.getByRole("dialog", { name: chat.text("settings.title") });
    await dialog.getByRole("tab", { name: chat.text("settings.data") }).tap();
    await expect(dialog.getByRole("button", { name: chat.text("data.exportButton") })).toBeEnabled();
    await expectAccessible(page, "one's data on a phone");
    // It comes to its end, and its notice behind the dialog, without throwing the focus about.
    await dialog.getByRole("button", { name: chat.text("data.exportButton") }).tap();
    await expect(dialog.getByText(chat.text("data.exportAgain"))).toBeVisible();
    await dialog.getByRole("button", { name: chat.text("data.deleteAllButton") }).tap();
    const asked = page.getByRole("dialog", { name: chat.text("data.deleteAllTitle") });
    await expectAccessible(page, "asked before all chats are deleted");
    await asked.getByRole("button", { name: chat.text("common.cancel") }).tap();
    await expect(asked).toHaveCount(0);
    expect(await account.sessions()).toHaveLength(2);

    await dialog.getByRole("button", { name: chat.text("data.deleteAllButton") }).tap();
    await asked.getByRole("button", { name: chat.text("data.deleteAllButton") }).tap();
    await expect(page.getByText(chat.text("deleteAllHistoryOkToast"))).toBeVisible();
    await expect(asked).toHaveCount(0);
    await expect(page).toHaveURL(/\/$/);
    expect(await account.sessions()).toEqual([]);
    await expect(other).toHaveURL(/\/$/);
    await dialog.getByRole("button", { name: chat.text("common.close") }).tap();
    await chat.button("header.openSidebar").tap();
    await expect(page.getByText("另一个对话")).toHaveCount(0);
    await expect(page.getByText(chat.text("sidebar.empty"))).toBeVisible();
  });
});
