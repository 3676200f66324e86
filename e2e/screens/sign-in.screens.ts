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
});
