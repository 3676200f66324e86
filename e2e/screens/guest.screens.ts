// An agent's home for who is not signed in, where the operator lets guests see it.
import { changeSettings } from "../support/change-settings.ts";
import { expect, test } from "../support/journey.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

everyLook((look) => {
  test("a guest's welcome", async ({ openAs }) => {
    const album = new Album(look, "guest");
    const page = await openAs(null, { path: "/sign_in", preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    await changeSettings(page, (settings) => (settings.flags["guestWelcome"] = true));
    // What was kept of the settings before is what a page goes by first.
    const settings = page.waitForResponse(/client\/settings/);
    await page.reload();
    await settings;
    await page.goto("/");
    await expect(page.getByRole("heading", { name: chat.text("welcome.chat") })).toBeVisible();
    await album.shoot(page, "welcome");
    await album.shootAt(page, "welcome", [look.phone ? [844, 390] : [720, 450]]);
    await page.close();
  });
});
