import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { textOf } from "../support/texts.ts";

test("the theme is chosen, kept, and follows the system when asked to [ACCT-013] [SHELL-061] [SHELL-062]", async ({
  chat,
  sidebar,
}) => {
  const { page } = chat;
  const ground = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await sidebar.accountAction("profile.settings");
  const dialog = page.getByRole("dialog", { name: chat.text("settings.title") });
  await expectAccessible(page, "settings");
  await dialog.getByRole("radio", { name: chat.text("settings.themeDark") }).check({ force: true });
  await expect.poll(ground).not.toBe(light);
  const dark = await ground();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(chat.composer).toBeVisible();
  expect(await ground()).toBe(dark);

  await sidebar.accountAction("profile.settings");
  await dialog
    .getByRole("radiogroup", { name: chat.text("settings.theme") })
    .getByRole("radio", { name: chat.text("settings.system") })
    .check({ force: true });
  await expect.poll(ground).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(ground).toBe(dark);
});

test("the language changes at once and is kept [ACCT-014] [I18N-001] [I18N-003]", async ({
  chat,
  sidebar,
}) => {
  const { page } = chat;
  await sidebar.accountAction("profile.settings");
  await page.getByRole("dialog").getByRole("radio", { name: "中文" }).check({ force: true });
  await expect(page.getByRole("dialog", { name: textOf("zh_CN", "settings.title") })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("textbox", { name: textOf("zh_CN", "composer.label") })).toBeVisible();
  await expect(page.getByPlaceholder(textOf("zh_CN", "composer.placeholder"))).toBeVisible();
  await expectAccessible(page, "welcome in Chinese");
});

test("errors made by the server come in the chosen language [I18N-004]", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question, kind: "answer" }, refusal: { kind: "http", status: 400 } });
  const page = await openAs(account, { preferences: { locale: "zh_CN" } });
  const composer = page.getByRole("textbox", { name: textOf("zh_CN", "composer.label") });
  await composer.fill(question);
  await composer.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: /\p{Script=Han}/u })).toBeVisible();
});

test("a dialog keeps the focus inside and gives it back [SHELL-058]", async ({ chat, sidebar }) => {
  const { page } = chat;
  await sidebar.accountAction("profile.settings");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  // A tab that is pressed with the mouse shows no ring, one that is reached by a key does.
  const tab = dialog.getByRole("tab", { name: chat.text("settings.general") });
  await tab.click();
  await expect(tab).toBeFocused();
  await expect(tab).toHaveCSS("outline-style", "none");
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("tab", { name: chat.text("account.tab") })).toHaveCSS(
    "outline-style",
    "solid",
  );
  for (let press = 0; press < 8; press += 1) {
    await page.keyboard.press("Tab");
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) })).toBeFocused();
});

test("in forced colours the row on show and the tab on show are marked, also where the row has the focus", async ({
  chat,
  sidebar,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  await page.emulateMedia({ forcedColors: "active" });
  await chat.send(question);
  await chat.finished();
  const row = sidebar.navigation.getByRole("listitem").first();
  const colours = () =>
    row.evaluate((item) => {
      const probe = document.createElement("span");
      probe.style.cssText = "forced-color-adjust: none; color: Highlight; background: HighlightText";
      document.body.append(probe);
      const { color, backgroundColor } = getComputedStyle(probe);
      const highlight = [color, backgroundColor];
      probe.remove();
      return {
        highlight,
        row: [
          getComputedStyle(item).backgroundColor,
          getComputedStyle(item.querySelector("a") ?? item).color,
        ],
      };
    });
  const { highlight } = await colours();
  expect((await colours()).row).toEqual(highlight);
  await row.getByRole("link").focus();
  expect((await colours()).row).toEqual(highlight);
  await row.hover();
  expect((await colours()).row).toEqual(highlight);

  await sidebar.accountAction("profile.settings");
  const mark = await page
    .getByRole("tab", { selected: true })
    .evaluate((tab) => getComputedStyle(tab, "::after").backgroundColor);
  expect(mark).toBe(highlight[0]);
});
