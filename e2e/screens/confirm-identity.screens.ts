// What keeps an account its owner's: the question who they are, the ways in, the page of the link in a notice, and a reset.
import type { AccountSecurity } from "@plumb/protocol/wire/account-security";
import type { Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

const SINCE = 1_790_000_000;
const security: AccountSecurity = {
  confirmed_until: 0,
  ways: ["password", "email", "sms", "GOOGLE", "WECHAT"],
  bindings: [
    { kind: "email", label: "ad*****e@example.com", bound_at: SINCE - 90 * 86_400, removable: false },
    { kind: "phone", label: "138****5678", bound_at: SINCE, removable: true },
    { kind: "wechat", label: "Ada", bound_at: null, removable: true },
    { kind: "google", label: "ada.with.a.long.name@mail.example.com", bound_at: SINCE, removable: true },
  ],
};

/** Has a call answer this, with the number of a refusal. */
async function answer(page: Page, call: string, data: object | null, code = 0): Promise<void> {
  await page.unroute(`**/api/v0/users/${call}`);
  await page.route(`**/api/v0/users/${call}`, (route) =>
    route.fulfill({
      json: {
        code: 0,
        msg: "",
        data: { biz_code: code, biz_msg: code === 0 ? "" : "REFUSED", biz_data: data, code },
        context: { logId: "0".repeat(32) },
      },
    }),
  );
}

everyLook((look) => {
  test("confirm-identity", async ({ openAs, stack }) => {
    const album = new Album(look, "confirm-identity");
    const account = await ApiAccount.signUp(stack);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    await answer(page, "security", security);
    await answer(page, "unbind", null, 20);
    await answer(page, "confirm_code", { send_window_secs: 60 });
    await chat.openList();
    await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
    await page.getByRole("menuitem", { name: /@example\.com$/ }).click();
    await expect(page.getByText("138****5678")).toBeVisible();
    await album.shoot(page, "ways-in");
    const remove = page.getByRole("button", { name: new RegExp(`^${chat.text("account.remove")}.*`) });
    await remove.first().click();
    await album.shoot(page, "remove");
    await page
      .getByRole("dialog")
      .last()
      .getByRole("button", { name: chat.text("account.remove") })
      .click();
    const prompt = page.getByRole("dialog", { name: chat.text("confirm.title") });
    await expect(prompt.getByRole("textbox")).toBeFocused();
    await album.shoot(page, "password");
    await answer(page, "confirm_identity", null, 2);
    await prompt.getByRole("textbox").fill("wrong");
    await prompt.getByRole("button", { name: chat.text("confirm.button"), exact: true }).click();
    await expect(prompt.getByText(chat.text("confirmPasswordWrong"))).toBeVisible();
    await album.shoot(page, "password-wrong");
    await prompt.getByRole("button", { name: chat.text("confirm.byEmail") }).click();
    await prompt.getByRole("button", { name: chat.text("form.sendCode") }).click();
    await album.shoot(page, "code");
    await prompt.getByRole("button", { name: chat.text("confirm.byGoogle") }).click();
    await album.shoot(page, "google");
    await answer(page, "security", {
      ...security,
      bindings: security.bindings.slice(1, 2).map((one) => ({ ...one, removable: false })),
    });
    await prompt.getByRole("button", { name: chat.text("common.close") }).click();
    await expect(page.getByText(chat.text("account.lastWayIn"))).toBeVisible();
    await page.keyboard.press("Escape");
    await album.shoot(page, "last-way-in");
    await page.close();
  });

  test("undo-binding", async ({ openAs }) => {
    const album = new Album(look, "undo-binding");
    const page = await openAs(null, { path: "/undo_binding#token", preferences: preferencesOf(look) });
    const form = new SignInPage(page, look.locale);
    await expect(form.button("undo.button")).toBeVisible();
    await album.shoot(page, "asked");
    await answer(page, "undo_binding", null, 1);
    await form.button("undo.button").click();
    await expect(page.getByText(form.text("undoLinkInvalid"))).toBeVisible();
    await album.shoot(page, "failed");
    await page.evaluate(() => (window.location.hash = "another-token"));
    await answer(page, "undo_binding", { kind: "phone" });
    await form.button("undo.button").click();
    await expect(page.getByText(form.text("undo.doneTitle"))).toBeVisible();
    await album.shoot(page, "done");
    await page.close();
  });

  test("reset-after-theft", async ({ openAs }) => {
    const album = new Album(look, "reset-after-theft");
    const page = await openAs(null, { path: "/forgot_password", preferences: preferencesOf(look) });
    const form = new SignInPage(page, look.locale);
    await answer(page, "check_email_code", { bound_since: security.bindings.slice(1) });
    await form.field("form.resetIdentifier").fill("ada@example.com");
    await form.field("form.code").fill("123456");
    await form.button("form.continue").click();
    await expect(page.getByRole("checkbox")).toHaveCount(3);
    await page.getByRole("checkbox").nth(1).uncheck();
    await album.shoot(page, "bound-since");
    await page.close();
  });
});
