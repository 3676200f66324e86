// The account in the settings: who one is, where one is signed in, and the end of both.
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { changeSettings } from "../support/change-settings.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

test("the settings have their four tabs, and the account is seen, trained with or not, and signed out everywhere [ACCT-011] [ACCT-012] [ACCT-015] [ACCT-016] [ACCT-017] [ACCT-018] [ACCT-020] [ACCT-024] [ACCT-030]", async ({
  openAs,
  stack,
}) => {
  const account = await ApiAccount.signUp(stack);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  const sidebar = new Sidebar(page);
  const dialog = page.getByRole("dialog", { name: chat.text("settings.title") });
  const tab = (key: string) => dialog.getByRole("tab", { name: chat.text(key) });
  const masked = /^jo\*{5}[0-9a-f]@example\.com$/;

  await sidebar.accountAction("profile.settings");
  await expect(tab("settings.general")).toHaveAttribute("aria-selected", "true");
  const names = ["settings.general", "account.tab", "settings.data", "policy.tab"].map((key) =>
    chat.text(key),
  );
  await expect(dialog.getByRole("tab")).toHaveText(names);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
  await page.getByRole("menuitem", { name: masked }).click();
  await expect(tab("account.tab")).toHaveAttribute("aria-selected", "true");
  const panel = dialog.getByRole("tabpanel");
  await expect(panel.getByText(masked)).toHaveCount(2);
  await expect(panel.getByText("-", { exact: true })).toBeVisible();
  await expect(panel).not.toContainText(account.email);
  await expectAccessible(page, "the account");

  await tab("settings.data").click();
  const training = dialog.getByRole("switch", { name: chat.text("account.training") });
  await expect(training).not.toBeChecked();
  await training.click();
  await expect(training).toBeChecked();
  await expectAccessible(page, "the training switch");
  expect(await account.get("/api/v0/users/settings")).toMatchObject({ training_allowed: true });

  await tab("policy.tab").click();
  const links = dialog.getByRole("tabpanel").getByRole("link");
  await expect(links).toHaveCount(2);
  await expect(links.first()).toHaveAttribute("href", "/static/legal/terms.en.html");
  await expect(links.last()).toHaveAttribute("href", "/static/legal/privacy.en.html");
  await expectAccessible(page, "the policies");

  // Another sign-in of the same account is ended, and then all are.
  const elsewhere = await account.signInAgain();
  await tab("account.tab").click();
  await dialog.getByRole("button", { name: chat.text("account.manage") }).click();
  const list = page.getByRole("list", { name: chat.text("account.signInsLabel") });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page, "the sign-ins");
  const other = list.getByRole("listitem").filter({ hasNotText: chat.text("account.current") });
  await other.getByRole("button").click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect.poll(() => elsewhere.codeOf("/api/v0/users/current")).toBe(40003);
  await page.getByRole("button", { name: chat.text("settings.back") }).click();
  await expect(dialog.getByRole("button", { name: chat.text("account.manage") })).toBeFocused();

  const button = dialog.getByRole("button", { name: chat.text("account.logoutAllButton") });
  await button.click();
  const confirm = page.getByRole("dialog", { name: chat.text("account.logoutAllTitle") });
  await confirm.getByRole("button", { name: chat.text("common.cancel") }).click();
  await expect(confirm).toHaveCount(0);
  const third = await account.signInAgain();
  await button.click();
  await confirm.getByRole("button", { name: chat.text("account.logoutAllButton") }).click();
  await expect(page).toHaveURL("/sign_in");
  await expect(new SignInPage(page).button("form.signIn")).toBeVisible();
  for (const one of [account, third]) expect(await one.codeOf("/api/v0/users/current")).toBe(40003);
});

test("a phone is verified from the account, with what the operator promises for it [AUTH-005] [ACCT-017]", async ({
  openAs,
  stack,
}) => {
  const account = await ApiAccount.signUp(stack);
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await changeSettings(page, (settings) => (settings.misc.free_tokens_offer = 5_000_000));
  await page.reload();
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
  await page.getByRole("menuitem", { name: /@example\.com$/ }).click();
  await page.getByRole("button", { name: chat.text("account.verify"), exact: true }).click();
  const prompt = page.getByRole("dialog", { name: chat.text("account.phoneTitle") });
  await expect(prompt.getByText("Verifying a phone number gives you 5 million free tokens.")).toBeVisible();
  await expectAccessible(page, "the phone prompt");
  await page.keyboard.press("Control+k");
  const mobile = `137${String(Date.now()).slice(-8)}`;
  await prompt.getByRole("textbox", { name: chat.text("form.phone") }).fill(mobile);
  await prompt.getByRole("button", { name: chat.text("form.sendCode") }).click();
  await expect(prompt.getByText(chat.text("form.codeInLog"))).toBeVisible();
  await prompt.getByRole("textbox", { name: chat.text("form.code") }).fill(stack.codeFor(`+86${mobile}`));
  await prompt.getByRole("button", { name: chat.text("account.verify") }).click();
  await expect(prompt).toHaveCount(0);
  const masked = `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;
  await expect(page.getByRole("tabpanel").getByText(masked)).toBeVisible();
  await expect(page.getByText(mobile)).toHaveCount(0);
});

test.describe("on a phone, in Chinese", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("the account is deleted with its phrase, and nothing of it is left in the browser [ACCT-033] [ACCT-034] [ACCT-037]", async ({
    openAs,
    stack,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 1 });
    upstream.script({ match: { user: question }, answer: "94 m." });
    const account = await ApiAccount.signUp(stack);
    await account.ask(question);
    const page = await openAs(account, { preferences: { locale: "zh_CN" } });
    const chat = new ChatPage(page, "zh_CN");
    await chat.button("header.openSidebar").click();
    await new Sidebar(page, "zh_CN").accountAction("profile.settings");
    await page.getByRole("tab", { name: chat.text("account.tab") }).click();
    await page.getByRole("button", { name: chat.text("account.deleteButton"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: chat.text("account.deleteTitle") });
    const remove = dialog.getByRole("button", { name: chat.text("account.delete") });
    const field = dialog.getByRole("textbox");
    await expect(remove).toBeDisabled();
    for (const other of ["永久删除我的账", "永久删除我的账号 ", " 永久删除我的账号"]) {
      await field.fill(other);
      await expect(remove).toBeDisabled();
    }
    await field.fill("永久删除我的账号");
    await expectAccessible(page, "the deletion of an account");
    await remove.click();
    await expect(page).toHaveURL("/sign_in");
    await expect(page.getByText(chat.text("accountDeleted"))).toBeVisible();
    expect(await account.codeOf("/api/v0/users/current")).toBe(40003);
    const form = new SignInPage(page, "zh_CN");
    await form.signIn(account);
    await expect(page.getByText(chat.text("passwordOrUserWrong"))).toBeVisible();
  });
});
