import type { ClientSettings } from "@plumb/protocol/wire/site";
import { expect, test } from "../support/journey.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";
import { Album, everyLook, preferencesOf } from "./look.ts";

everyLook((look) => {
  test("before sign-in", async ({ openAs }) => {
    const album = new Album(look, "sign-in");
    const page = await openAs(null, { path: "/sign_in", preferences: preferencesOf(look) });
    const form = new SignInPage(page, look.locale);
    await expect(form.button("form.signIn")).toBeVisible();
    await album.shoot(page, "sign-in");
    await page.goto("/sign_up");
    await form.button("form.signUp").click();
    await expect(form.field("form.email")).toHaveAttribute("aria-invalid", "true");
    await album.shoot(page, "sign-up-with-errors");
    await form.field("form.email").fill(`screens-${look.width}-${Date.now()}@example.com`);
    await form.button("form.sendCode").click();
    await expect(form.field("form.code")).toBeFocused();
    await album.shoot(page, "code-sent");
    if (!look.phone) await album.shootAt(page, "sign-up", [[720, 450]]);
  });

  test("forgotten password, phones and invitations", async ({ openAs }) => {
    const album = new Album(look, "sign-in");
    const page = await openAs(null, { path: "/forgot_password", preferences: preferencesOf(look) });
    const form = new SignInPage(page, look.locale);
    await form.button("form.continue").click();
    await expect(form.field("form.resetIdentifier")).toHaveAttribute("aria-invalid", "true");
    await album.shoot(page, "forgot-password-with-errors");
    await page.route("**/api/v0/users/check_email_code", (route) =>
      route.fulfill({
        json: {
          code: 0,
          msg: "",
          data: { biz_code: 0, biz_msg: "", biz_data: { code: 0, msg: "" }, code: 0 },
          context: { logId: "" },
        },
      }),
    );
    await form.field("form.resetIdentifier").fill("someone@example.com");
    await form.field("form.code").fill("123456");
    await form.button("form.continue").click();
    await expect(form.field("form.newPassword")).toBeFocused();
    await album.shoot(page, "new-password");
    await page.goto("/sign_up?invitation=abc");
    await expect(form.field("form.email")).toBeFocused();
    await album.shoot(page, "sign-up-by-invitation");

    await page.route("**/api/v0/client/settings*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { biz_data: ClientSettings } };
      body.data.biz_data.sign_in.email_outbox = false;
      await route.fulfill({ response, json: body });
    });
    await page.goto("/sign_up?invitation=open-abc");
    await expect(form.field("form.code")).toBeVisible();
    await album.shoot(page, "sign-up-by-invitation-with-code");

    await page.route("**/api/v0/client/settings*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { biz_data: ClientSettings } };
      const settings = body.data.biz_data;
      settings.edition = "mainland";
      settings.sign_in.methods = ["sms_code", "mobile_password", "email_password"];
      settings.sign_in.sign_up = ["mobile"];
      settings.sign_in.sms_blocked = false;
      await route.fulfill({ response, json: body });
    });
    await page.goto("/sign_in");
    await form.button("form.signIn").click();
    await expect(form.field("form.phone")).toHaveAttribute("aria-invalid", "true");
    await album.shoot(page, "sign-in-by-code-with-errors");
    await page.goto("/sign_up");
    await form.field("form.phone").fill("13800138000");
    await album.shoot(page, "sign-up-by-phone");
  });
});
