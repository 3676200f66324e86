import type { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { slidePlace, slideTo } from "../support/slide-place.ts";
import { startSingleStack, type SingleStack } from "../support/start-stack.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

let guarded: SingleStack | null = null;
test.afterAll(async () => guarded?.close());

everyLook((look) => {
  test("bot challenge", async ({ openAs, upstream, consoleWatch }) => {
    consoleWatch.allow(/status of 403/);
    guarded ??= await startSingleStack(upstream, { BOT_CHALLENGE: "all" });
    const album = new Album(look, "bot-challenge");
    const stranger = { token: "x".repeat(64) } as ApiAccount;
    const page = await openAs(stranger, { origin: guarded.origin, preferences: preferencesOf(look) });
    const screen = new Screen(page, look);
    const overlay = page.getByRole("dialog", { name: screen.text("botChallenge") });
    await expect(overlay.locator("img").first()).toBeVisible();
    await album.shoot(page, "puzzle");
    const handle = overlay.getByRole("slider");
    await handle.focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press("PageUp", { delay: 70 });
    await page.keyboard.press("Enter");
    await expect(overlay.getByRole("status").or(page.getByRole("alert")).first()).toBeAttached();
    await album.shoot(page, "tried");
    const { server } = guarded;
    await slideTo(page, screen.text("captcha.slideByKeys"), () => slidePlace(server.dataDir));
    await expect(overlay.getByText(screen.text("captchaOneMore"))).toBeVisible();
    await album.shoot(page, "one-more");
    await page.close();
  });
});
