import type { Locator, Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { expectStill, noteShifts } from "../support/layout-shifts.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

const field = (dialog: Locator, chat: ChatPage, key: string): Locator =>
  dialog.getByRole("textbox", { name: chat.text(key) });
const tiles = (page: Page, chat: ChatPage): Locator =>
  page.getByRole("list", { name: chat.text("persona.tiles") }).getByRole("link");

test("a role is written by keys, spoken to, changed, and deleted: its chat stays to be read [PERS-001] [PERS-003] [PERS-004] [PERS-005] [PERS-008]", async ({
  stack,
  openAs,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question, kind: "answer" }, answer: "凡事先问清楚，再动手。" });
  const account = await ApiAccount.signUp(stack);
  const page = await openAs(account, { preferences: { locale: "zh_CN", theme: "dark" } });
  const chat = new ChatPage(page, "zh_CN");
  const sidebar = new Sidebar(page, "zh_CN");
  await sidebar.accountAction("profile.roles");
  const list = page.getByRole("dialog", { name: chat.text("profile.roles") });
  await expect(list.getByText(chat.text("persona.empty"))).toBeVisible();
  await expectAccessible(page, "no roles");
  await list.getByRole("button", { name: chat.text("persona.create") }).press("Enter");

  const form = page.getByRole("dialog", { name: chat.text("persona.create") });
  const name = field(form, chat, "persona.name");
  await expect(name).toBeFocused();
  await name.press("Enter");
  await expect(form.getByRole("alert")).toHaveText([
    chat.text("persona.nameEmpty"),
    chat.text("persona.instructionsEmpty"),
  ]);
  await expect(name).toBeFocused();
  await expectAccessible(page, "a role with errors");
  await name.fill("老师傅");
  await field(form, chat, "persona.greeting").fill("你好，我是老师傅。\n今天想修点什么？");
  await field(form, chat, "persona.instructions").fill("你是一位经验丰富的木工师傅。");
  await form.getByRole("radio", { name: chat.text("persona.red") }).press("Space");
  // Closed by mistake, nothing typed is lost.
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await sidebar.accountAction("profile.roles");
  await expect(name).toHaveValue("老师傅");
  await name.press("Enter");
  await expect(list.getByText("老师傅")).toBeVisible();
  await expect(
    list.getByRole("link", { name: chat.text("persona.chatWith", { name: "老师傅" }) }),
  ).toBeFocused();
  await expectAccessible(page, "a list of roles");
  await page.keyboard.press("Escape");

  await tiles(page, chat).filter({ hasText: "老师傅" }).click();
  await expect(page.getByText("今天想修点什么？")).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await expectAccessible(page, "the greeting of a role");
  await chat.send(question);
  await chat.finished();
  expect(calls.firstAnswer?.messages[0]).toEqual({
    role: "system",
    content: "你是一位经验丰富的木工师傅。",
  });
  await expect(page.getByRole("img", { name: "老师傅" })).toBeVisible();
  await page.reload();
  await expect(chat.lastReply).toContainText("凡事先问清楚");
  await expect(page.getByRole("img", { name: "老师傅" })).toBeVisible();

  await sidebar.accountAction("profile.roles");
  await list.getByRole("button", { name: chat.text("persona.deleteNamed", { name: "老师傅" }) }).click();
  const asked = page.getByRole("dialog", { name: chat.text("persona.deleteTitle") });
  await asked.getByRole("button", { name: chat.text("common.delete") }).click();
  await expect(asked).toHaveCount(0);
  await expect(list.getByText(chat.text("persona.empty"))).toBeVisible();
  await page.keyboard.press("Escape");
  const notice = page.getByRole("status").filter({ hasText: chat.text("characterDeleted") });
  await expect(notice).toBeVisible();
  await expect(chat.composer).toHaveCount(0);
  await expect(chat.lastReply).toContainText("凡事先问清楚");
  await expectAccessible(page, "a chat with a deleted role");
  await page.reload();
  await expect(notice).toBeVisible();
  await notice.getByRole("link", { name: chat.text("common.newChat") }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(chat.composer).toBeVisible();
  await expect(tiles(page, chat)).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("roles come without a jump, are full at their number, and one that is wrong keeps what was typed [PERS-002] [PERS-006]", async ({
    stack,
    openAs,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 1 });
    upstream.script({ match: { user: question, kind: "answer" }, answer: "Arr." });
    const account = await ApiAccount.signUp(stack);
    for (let index = 1; index <= 20; index += 1)
      await account.createCharacter({ name: `Sailor ${index}`, instructions: "Talk like a sailor." });
    const page = await openAs(account);
    const chat = new ChatPage(page);
    await expect(chat.composer).toBeVisible();
    await noteShifts(page);
    await page.reload();
    await expect(chat.composer).toBeVisible();
    // Made on another device: nobody touches this one.
    await expect(tiles(page, chat).first()).toHaveText(/Sailor 20/);
    await expectStill(page, "tiles on a browser that has met none");
    await page.reload();
    await expect(tiles(page, chat).first()).toHaveText(/Sailor 20/);
    await expectStill(page, "tiles on a known browser");
    await chat.button("header.openSidebar").tap();
    await new Sidebar(page).accountAction("profile.roles");
    const list = page.getByRole("dialog", { name: chat.text("profile.roles") });
    await expect(list.getByText(chat.text("maxCharactersReached"))).toBeVisible();
    await expect(list.getByRole("button", { name: chat.text("persona.create") })).toBeDisabled();
    await expectAccessible(page, "all roles on a phone");

    await list.getByRole("button", { name: chat.text("persona.editNamed", { name: "Sailor 20" }) }).tap();
    const form = page.getByRole("dialog", { name: chat.text("persona.edit") });
    const name = field(form, chat, "persona.name");
    const tooLong = `Captain ${"of the seven seas ".repeat(3)}`;
    await name.fill(tooLong);
    await form.getByRole("button", { name: chat.text("persona.save") }).tap();
    await expect(form.getByRole("alert")).toHaveText(chat.text("persona.nameTooLong"));
    await expect(name).toHaveValue(tooLong);
    await expectAccessible(page, "a role with an error on a phone");
    await name.fill("Captain");
    await form.getByRole("button", { name: chat.text("persona.save") }).tap();
    await list.getByRole("link", { name: chat.text("persona.chatWith", { name: "Captain" }) }).tap();
    // The sheet that the dialog was opened from has gone with it.
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Captain" })).toBeVisible();
    await chat.composer.fill(question);
    await chat.sendButton.tap();
    await chat.finished();
    await expect(page.getByRole("img", { name: "Captain" })).toBeVisible();
    await expectStill(page, "a chat with a role", 0.5);
  });
});
