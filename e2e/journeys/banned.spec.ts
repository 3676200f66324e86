import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { operate } from "../support/operate.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

test("a banned user who signs in lands on the banned page, and another account can sign in from there [ACCT-051] [AUTH-011]", async ({
  stack,
  account,
  openAs,
}) => {
  const banned = await ApiAccount.signUp(stack);
  operate(stack.server.dataDir, "ban", banned.email);
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  await form.signIn(banned);
  await expect(page).toHaveURL("/banned");
  await expect(page.getByText(form.text("banned.text"))).toBeVisible();
  await page.getByRole("link", { name: form.text("banned.home") }).click();
  await expect(page).toHaveURL("/sign_in");
  await form.signIn(account);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("textbox", { name: form.text("composer.label") })).toBeVisible();
});

test("a user banned while the page is open is taken off the chat, in all tabs [ACCT-051] [ERR-009]", async ({
  stack,
  openAs,
  consoleWatch,
}) => {
  const account = await ApiAccount.signUp(stack);
  const page = await openAs(account);
  const form = new SignInPage(page);
  await expect(page.getByRole("textbox", { name: form.text("composer.label") })).toBeVisible();
  const other = await page.context().newPage();
  consoleWatch.watch(other);
  await other.goto("/");
  await expect(other.getByRole("textbox", { name: form.text("composer.label") })).toBeVisible();
  operate(stack.server.dataDir, "ban", account.email);
  // A ban takes effect within a second, and the page asks when it is opened.
  await expect(async () => {
    await page.reload();
    await expect(page).toHaveURL("/banned", { timeout: 1000 });
  }).toPass();
  await expect(other).toHaveURL("/banned");
  await other.close();
  await page.bringToFront();
  await page.goto("/");
  await expect(page).toHaveURL("/sign_in");
  await expect(form.button("form.signIn")).toBeVisible();
});
