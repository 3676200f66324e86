// The page of the installed app while its server cannot be reached.
import { brokenConnection } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { accountWithChats, Album, everyLook, preferencesOf, scriptContent, Screen } from "./look.ts";

test.use({ serviceWorkers: "allow" });

everyLook((look) => {
  const { content } = look;

  test("the installed app", async ({ openAs, stack, upstream, calls, consoleWatch }) => {
    calls.expect({ answer: content.titles.length });
    scriptContent(upstream, content);
    consoleWatch.allow(brokenConnection, /ERR_FAILED/, /Failed to fetch/);
    const album = new Album(look, "installed-app");
    const account = await accountWithChats(stack, content);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("plumb.list")))
      .toContain(account.token.slice(-6));
    await chat.composer.fill(content.slowQuestion);
    await page.route("**/api/**", (route) => route.abort());
    await page.reload();
    await expect(page.getByText(chat.text("composer.unreached"))).toBeVisible();
    await album.shoot(page, "without-a-server");
    await chat.openList();
    await album.shoot(page, "its-list");
    await chat.sidebar.row(content.titles[0] ?? "").click();
    await expect(page.getByRole("button", { name: chat.text("common.retry") })).toBeVisible();
    await album.shoot(page, "a-chat-that-is-not-kept");
    await page.close();
  });
});
