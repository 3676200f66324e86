// The search of all chats: before a word, with hits, without, where it fails, and the message that a hit leads to.
import { refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { accountWithChats, Album, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

everyLook((look) => {
  const { content, phone, locale } = look;

  test("the search of all chats", async ({ openAs, stack, calls, consoleWatch, upstream }) => {
    consoleWatch.allow(refusedWith(429), refusedWith(500));
    calls.expect({ answer: content.titles.length + 2 });
    scriptContent(upstream, content);
    const album = new Album(look, "history-search");
    const account = await accountWithChats(stack, content);
    const sessionId = await account.ask(content.question);
    await account.ask(content.diagramQuestion, { sessionId });
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const dialog = page.getByRole("dialog", { name: chat.text("find.title") });
    const field = dialog.getByRole("combobox");
    const open = async (): Promise<void> => {
      if (phone) await chat.openList();
      await page.getByRole("button", { name: chat.text("sidebar.search") }).click();
      await expect(field).toBeFocused();
    };

    await open();
    await album.shoot(page, "recent");
    await field.fill(locale === "zh_CN" ? "分组" : "group");
    await expect(dialog.locator("mark").first()).toBeVisible();
    await album.shoot(page, "hits");
    await field.fill(chat.text("settings.theme"));
    await expect(dialog.getByRole("option").first()).toBeVisible();
    await expect(dialog.locator("[aria-busy=false]")).toBeVisible();
    await album.shoot(page, "commands");
    await field.fill("zzz qqq");
    await expect(dialog.getByText(chat.text("find.nothingHint"))).toBeVisible();
    await album.shoot(page, "nothing");
    await page.route("**/chat_session/search*", (route) => route.fulfill({ status: 500, body: "" }));
    await field.fill(content.titles[0]?.slice(0, 2) ?? "");
    await expect(dialog.getByRole("alert")).toBeVisible();
    await album.shoot(page, "failed");
    await page.unroute("**/chat_session/search*");
    await field.fill(content.question);
    await dialog
      .getByRole("group", { name: chat.text("find.messages") })
      .getByRole("option")
      .first()
      .click();
    await expect(page.locator("[data-sought]")).toHaveCount(1);
    await album.shoot(page, "marked");
    await page.close();
  });
});
