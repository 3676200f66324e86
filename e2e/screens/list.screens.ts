// The list of chats, what is opened from it, and what is said where it or a chat cannot be had.
import { ApiAccount } from "../support/api-account.ts";
import { refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { accountWithChats, Album, everyLook, preferencesOf, Screen } from "./look.ts";

everyLook((look) => {
  const { content, phone } = look;
  const [first = "", second = "", third = ""] = content.titles;

  test("the list", async ({ openAs, stack, calls, consoleWatch }) => {
    consoleWatch.allow(refusedWith(500));
    calls.expect({ answer: content.titles.length });
    const album = new Album(look, "list");
    const account = await accountWithChats(stack, content);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const { sidebar } = chat;
    const settle = async (): Promise<void> => {
      await page.keyboard.press("Escape");
      await expect(page.getByRole("menu")).toHaveCount(0);
    };

    await chat.openList();
    await expect(sidebar.row(first)).toBeVisible();
    await album.shoot(page, "list");
    await sidebar.rowAction(third, "sidebar.pin");
    await expect(sidebar.group("sidebar.pinned")).toBeVisible();
    await sidebar.row(second).hover();
    await page.getByRole("button", { name: chat.text("sidebar.rowMenu", { title: second }) }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await album.shoot(page, "pinned-and-menu");
    await settle();
    await chat.openList();
    await sidebar.rowAction(first, "common.rename");
    await expect(sidebar.titleField).toBeFocused();
    await album.shoot(page, "rename");
    await page.route("**/chat_session/update_title", (route) => route.fulfill({ status: 500, body: "" }));
    await sidebar.titleField.fill(content.longTitle);
    await page.keyboard.press("Enter");
    await expect(page.getByText(chat.text("renameFailed"))).toBeVisible();
    await album.shoot(page, "rename-failed");
    await page.keyboard.press("Escape");
    await expect(sidebar.titleField).toHaveCount(0);
    await chat.openList();
    await sidebar.rowAction(first, "common.delete");
    await expect(page.getByText(chat.text("sidebar.deleteTitle"))).toBeVisible();
    await album.shoot(page, "delete");
    await page.keyboard.press("Escape");
    await expect(page.getByText(chat.text("sidebar.deleteTitle"))).toHaveCount(0);
    await chat.openList();
    await sidebar.accountAction("profile.settings");
    await expect(page.getByRole("radiogroup", { name: chat.text("settings.theme") })).toBeVisible();
    await album.shoot(page, "settings");
    await album.shootAt(page, "settings", [phone ? [844, 390] : [720, 450]]);
    await page.keyboard.press("Escape");
    await page.close();
  });

  test("a list and a chat that are not there", async ({ openAs, stack, calls, consoleWatch }) => {
    consoleWatch.allow(refusedWith(500));
    calls.expect({ answer: 1 });
    const album = new Album(look, "missing");
    const account = await ApiAccount.signUp(stack);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const { navigation } = chat.sidebar;
    await chat.openList();
    await expect(navigation.getByText(chat.text("sidebar.empty"))).toBeVisible();
    await album.shoot(page, "empty-list");

    await page.route("**/chat_session/fetch_page*", () => {});
    await page.goto("/");
    await chat.openList();
    await expect(page.getByRole("status", { name: chat.text("sidebar.loading") })).toBeVisible();
    await album.shoot(page, "loading-list");
    await page.route("**/chat_session/fetch_page*", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/");
    await chat.openList();
    await expect(navigation.getByRole("button", { name: chat.text("common.retry") })).toBeVisible();
    await album.shoot(page, "failed-list");

    const sessionId = await account.ask(content.question);
    await page.unroute("**/chat_session/fetch_page*");
    await page.route("**/chat/history_messages*", () => {});
    await page.goto(`/a/chat/s/${sessionId}`);
    await expect(
      page.getByRole("status").filter({ hasText: chat.text("conversation.loading") }),
    ).toBeVisible();
    await album.shoot(page, "loading-chat");
    await page.route("**/chat/history_messages*", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`/a/chat/s/${sessionId}`);
    await expect(page.getByText(chat.text("conversation.loadFailed"))).toBeVisible();
    await album.shoot(page, "failed-chat");
    await page.close();
  });
});
