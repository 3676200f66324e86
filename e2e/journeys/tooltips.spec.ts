import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

test("a tooltip comes after 300 ms and goes 300 ms after the pointer; back in time, it stays [SHELL-065]", async ({
  openAs,
  account,
}) => {
  const page = await openAs(account);
  const chat = new ChatPage(page);
  const tooltip = page.getByRole("tooltip");
  const button = page.getByRole("button", { name: chat.text("sidebar.collapse") });
  await page.clock.install();
  await page.reload();
  await button.hover();
  await expect(tooltip).toBeVisible();
  await page.mouse.move(700, 1);
  await expect(tooltip).toHaveCount(0);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await button.hover();
  await page.clock.runFor(290);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(10);
  await expect(tooltip).toBeVisible();
  await page.mouse.move(700, 2);
  await page.clock.runFor(290);
  await expect(tooltip).toBeVisible();
  await button.hover();
  await page.clock.runFor(1000);
  await expect(tooltip).toBeVisible();
  await page.mouse.move(700, 3);
  await page.clock.runFor(300);
  await expect(tooltip).toHaveCount(0);
  await page.clock.resume();
});

test("no tooltip opens below a dialog, whose Escape stays its own", async ({ openAs, account }) => {
  const page = await openAs(account);
  const chat = new ChatPage(page);
  const tooltip = page.getByRole("tooltip");
  const toggle = page.getByRole("button", { name: chat.text("composer.thinking") });
  await page.clock.install();
  await page.reload();
  // The code of tooltips comes with the first move of the pointer.
  await toggle.hover();
  await expect(tooltip).toBeVisible();
  await page.mouse.move(1, 1);
  await expect(tooltip).toHaveCount(0);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await toggle.hover();
  await page.keyboard.press("Control+/");
  const dialog = page.getByRole("dialog", { name: chat.text("shortcuts.title") });
  await page.clock.runFor(1000);
  await expect(dialog).toBeVisible();
  await expect(tooltip).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.clock.runFor(1000);
  await expect(dialog).toHaveCount(0);
  await page.clock.resume();
});
