import { expect, test } from "../support/journey.ts";
import { ApiAccount } from "../support/api-account.ts";
import { brokenConnection } from "../support/checks.ts";
import { changeSettings } from "../support/change-settings.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

everyLook((look) => {
  test("account", async ({ openAs, stack, consoleWatch }) => {
    consoleWatch.allow(brokenConnection, /net::ERR_FAILED/);
    const album = new Album(look, "account");
    const account = await ApiAccount.signUp(stack);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const tab = (key: string) => page.getByRole("tab", { name: chat.text(key) }).click();
    const button = (key: string) => page.getByRole("button", { name: chat.text(key), exact: true });

    await changeSettings(page, (settings) => {
      for (const links of Object.values(settings.links)) links.contact_email = "help@example.com";
    });
    await page.route("**/api/v0/users/sign_ins", async (route) => {
      const entry = (id: number, client: string, region: string | null, day: number) => ({
        id: String(id),
        current: id === 0,
        client,
        region,
        created_at: 1_780_000_000,
        last_used_at: 1_790_000_000 - day * 86_400,
      });
      const data = [
        entry(0, "Chrome on Windows", "CN", 0),
        entry(1, "Samsung Internet on Android", "DE", 1),
        entry(2, "", null, 20),
      ];
      const answer = { biz_code: 0, biz_msg: "", biz_data: { sign_ins: data }, code: 0 };
      await route.fulfill({ json: { code: 0, msg: "", data: answer, context: { logId: "0".repeat(32) } } });
    });
    await page.reload();
    await chat.openList();
    await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
    await album.shoot(page, "menu");
    await page.getByRole("menuitem", { name: /@example\.com$/ }).click();
    await expect(button("account.deleteButton")).toBeVisible();
    await album.shoot(page, "account");
    await tab("settings.general");
    await album.shoot(page, "general");
    await tab("settings.data");
    await expect(page.getByRole("switch")).toBeEnabled();
    await page.getByRole("switch").click();
    await expect(page.getByRole("switch")).toBeChecked();
    await album.shoot(page, "data");
    await tab("policy.tab");
    await album.shoot(page, "policy");
    await tab("account.tab");
    await button("account.logoutAllButton").click();
    await album.shoot(page, "logout-all");
    await page.keyboard.press("Escape");
    await button("account.deleteButton").click();
    await page.getByRole("textbox", { name: chat.text("account.deletePhrase") }).fill("DELETE");
    await album.shoot(page, "delete");
    await page.keyboard.press("Escape");
    await page.route("**/api/v0/users/sign_ins", (route) => route.abort(), { times: 1 });
    await button("account.manage").click();
    await expect(page.getByText(chat.text("account.signInsFailed"))).toBeVisible();
    await album.shoot(page, "sign-ins-failed");
    await button("common.retry").click();
    await expect(page.getByText(chat.text("account.current"))).toBeVisible();
    await album.shoot(page, "sign-ins");
    await page.route("**/api/v0/users/current", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { biz_data: { need_birthday: boolean } } };
      body.data.biz_data.need_birthday = true;
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await expect(page.getByRole("dialog", { name: chat.text("account.birthdayTitle") })).toBeVisible();
    await album.shoot(page, "age-gate");
    await page.unroute("**/api/v0/users/current");
    await changeSettings(page, (settings) => (settings.misc.free_tokens_offer = 5_000_000));
    await page.reload();
    await chat.openList();
    await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
    await page.getByRole("menuitem", { name: /@example\.com$/ }).click();
    await expect(button("account.verify")).toBeVisible();
    await album.shoot(page, "account-phones");
    await button("account.verify").click();
    await expect(page.getByRole("dialog", { name: chat.text("account.phoneTitle") })).toBeVisible();
    await page
      .getByRole("dialog", { name: chat.text("account.phoneTitle") })
      .getByRole("button", { name: chat.text("account.verify"), exact: true })
      .click();
    await album.shoot(page, "phone-prompt");
    await page.close();
  });
});
