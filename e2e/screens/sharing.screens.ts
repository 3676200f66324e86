import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { operate } from "../support/operate.ts";
import { Album, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

everyLook((look) => {
  const { content } = look;

  test("sharing", async ({ openAs, stack, upstream, calls, consoleWatch }) => {
    calls.expect({ answer: 2 });
    scriptContent(upstream, content);
    consoleWatch.allow(/Failed to load resource/);
    const album = new Album(look, "sharing");
    const preferences = preferencesOf(look);
    const account = await ApiAccount.signUp(stack);
    const sessionId = await account.ask(content.question);
    await account.ask(content.diagramQuestion, { sessionId });
    const page = await openAs(account, { path: `/a/chat/s/${sessionId}`, preferences });
    const chat = new Screen(page, look);
    await expect(chat.replies).toHaveCount(2);
    await chat.conversation.evaluate((element) => element.scrollTo({ top: 0 }));
    await chat.replies.first().hover();
    await album.shoot(page, "offered");
    await page
      .locator("header")
      .getByRole("button", { name: chat.text("common.share") })
      .click();
    await page.locator("[data-message-id] input[type=checkbox]").first().press("Space");
    await album.shoot(page, "choosing");
    await page.getByRole("textbox", { name: chat.text("shareSelect.titleField") }).fill(content.longTitle);
    await chat.button("shareSelect.create").click();
    await album.shoot(page, "about-to-create");
    await chat.button("shareCreate.create").click();
    await expect(page.getByRole("img", { name: chat.text("shareCreate.qr") })).toBeVisible();
    await album.shoot(page, "link");
    await page.keyboard.press("Escape");
    operate(
      stack.server.dataDir,
      "share",
      "disable",
      await account.share(sessionId, [1, 2], content.longTitle),
    );
    await page.goto("/");
    await chat.openList();
    await chat.sidebar.accountAction("profile.settings");
    await page.getByRole("tab", { name: chat.text("settings.data") }).click();
    await page.getByRole("button", { name: chat.text("data.manage") }).click();
    const links = page.getByRole("list", { name: chat.text("shareLinks.label") });
    await expect(links.getByRole("listitem")).toHaveCount(2);
    await expect(links.getByText(chat.text("shareLinks.disabled"))).toHaveCount(1);
    await album.shoot(page, "links");
    await links
      .getByRole("button", { name: chat.text("shareLinks.deleteNamed", { title: content.longTitle }) })
      .first()
      .click();
    await expect(page.getByText(chat.text("shareLinks.deleteTitle"))).toBeVisible();
    await album.shoot(page, "delete-link");

    const shareId = await account.share(sessionId, [1, 2, 3, 4], content.longTitle);
    const guest = await openAs(null, { path: `/share/${shareId}`, preferences });
    await expect(new Screen(guest, look).replies).toHaveCount(2);
    await expect(guest.getByRole("note")).toBeVisible();
    await album.shoot(guest, "guest");
    await guest.route("**/share/content*", (route) => route.abort());
    await guest.reload();
    await expect(guest.getByRole("button", { name: chat.text("common.retry") })).toBeVisible();
    await album.shoot(guest, "guest-failed");
    await guest.unroute("**/share/content*");
    await page.goto(`/share/${shareId}`);
    await chat.button("shared.continue").waitFor();
    await album.shoot(page, "signed-in");
    await chat.button("shared.continue").click();
    await expect(chat.composer).toBeVisible();
    await album.shoot(page, "continuing");
    await account.revoke(shareId);
    await guest.reload();
    await expect(guest.getByRole("heading", { name: chat.text("shareGone.invalid") })).toBeVisible();
    await album.shoot(guest, "gone");
    await guest.close();
    await page.close();
  });
});
