// A bot challenge in the middle of a chat: the message that met it goes on once it is passed.
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { slidePlace, slideTo } from "../support/slide-place.ts";

test("whoever is suspected passes a puzzle over the whole page, and what they sent goes on by itself [AUTH-069] [AUTH-070]", async ({
  openAs,
  startStack,
  consoleWatch,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(/status of 4(?:03|29)/);
  const stack = await startStack({
    BOT_CHALLENGE: "suspects",
    RATE_LIMITS: "login_ip_minute=1,refused_ip_hour=1",
  });
  const page = await openAs(await ApiAccount.signUp(stack), { origin: stack.origin });
  const chat = new ChatPage(page);
  await chat.composer.fill(question);
  const tooMany = () => page.request.post(`${stack.origin}/api/v0/users/login`, { data: { password: "x" } });
  await expect(async () => expect((await tooMany()).status()).toBe(429)).toPass();

  await chat.composer.press("Enter");
  const overlay = page.getByRole("dialog", { name: "One more step before you proceed..." });
  await expect(overlay.locator("img").first()).toBeVisible();
  const { width, height } = page.viewportSize()!;
  expect(await overlay.boundingBox()).toEqual({ x: 0, y: 0, width, height });
  await expectAccessible(page, "the bot challenge");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(overlay).toBeVisible();

  await slideTo(page, chat.text("captcha.slideByKeys"), () => slidePlace(stack.server.dataDir));
  await expect(overlay).toHaveCount(0);
  await chat.finished();
  await expect(page.getByText(question, { exact: true })).toHaveCount(1);
  await expect(chat.composer).toBeFocused();

  // The browser is let through, also when it begins anew.
  await page.reload();
  await expect(page.getByText(question, { exact: true }).first()).toBeVisible();
  await expect(overlay).toHaveCount(0);
});
