// The ways into an account beside sign-up by email: by phone in the mainland edition, by invitation, and after a forgotten
// password. Each refusal's words are the engine's tests (web/src/engine/accounts).
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

test("in the mainland one signs in by a code, up by phone, and is told who has no account [AUTH-015] [AUTH-017] [AUTH-021] [AUTH-026] [AUTH-036]", async ({
  openAs,
  startStack,
}) => {
  const stack = await startStack({ EDITION: "mainland" });
  const page = await openAs(null, {
    origin: stack.origin,
    preferences: { locale: "zh_CN", theme: "dark" },
  });
  const form = new SignInPage(page, "zh_CN");
  const sidebar = new Sidebar(page, "zh_CN");
  const tab = (key: string) => page.getByRole("radio", { name: form.text(key), exact: true });
  const code = (mobile: string) => stack.codeFor(`+86${mobile}`);

  // The code is the first way, of a number that has no account yet.
  await expect(tab("form.byCode")).toBeChecked();
  await expect(page.getByText("+86", { exact: true })).toBeVisible();
  await form.button("form.sendCode").click();
  await expect(page.getByText(form.text("phoneEmpty"))).toBeVisible();
  await form.field("form.phone").fill("138-0013-8000 999");
  await expect(form.field("form.phone")).toHaveValue("13800138000");
  await form.button("form.sendCode").click();
  await expect(page.getByText(form.text("form.codeInLog"))).toBeVisible();
  await expectAccessible(page, "sign-in by a code");
  await form.field("form.code").fill(code("13800138000"));
  await form.button("form.signIn").click();
  await expect(new ChatPage(page, "zh_CN").composer).toBeFocused();
  await sidebar.accountAction("profile.logout");
  await expect(page).toHaveURL(/\/sign_in/);

  // Sign-up by phone, of another number.
  await page.goto(`${stack.origin}/sign_up`);
  await form.field("form.phone").fill("13900139000");
  await form.button("form.sendCode").click();
  await expect(form.field("form.code")).toBeFocused();
  await form.field("form.code").fill(code("13900139000"));
  await form.field("form.password").fill("first password");
  await form.field("form.confirmation").fill("first password");
  await page.getByRole("checkbox").check();
  await expectAccessible(page, "sign-up by phone");
  await form.button("form.signUp").click();
  await expect(new ChatPage(page, "zh_CN").composer).toBeFocused();
  await sidebar.accountAction("profile.logout");

  // The way of the last time comes first; the password is forgotten.
  await expect(tab("form.byPassword")).toBeChecked();
  await page.getByRole("link", { name: form.text("form.forgot") }).click();
  await expect(page).toHaveURL(/\/forgot_password$/);
  await form.field("form.resetIdentifier").fill("13800138000");
  await form.field("form.code").fill("123456");
  await form.button("form.continue").click();
  await expect(page.getByText(form.text("codeExpired"))).toBeVisible();
  await expectAccessible(page, "a forgotten password");
  await form.field("form.resetIdentifier").fill("13900139001");
  await form.button("form.sendCode").click();
  await expect(form.field("form.code")).toBeFocused();
  await form.field("form.code").fill(code("13900139001"));
  await form.button("form.continue").click();
  await expect(page.getByText(form.text("notRegistered"))).toBeVisible();
  await page.getByRole("link", { name: form.text("form.backToSignIn") }).click();
  await expect(page).toHaveURL(/\/sign_in$/);
});

test("the link of the first start makes an account without a code where sign-up is closed; its password is forgotten and set anew [AUTH-030] [AUTH-031] [AUTH-032] [AUTH-033] [AUTH-034]", async ({
  openAs,
  startStack,
}) => {
  const stack = await startStack({ SIGN_UP: "closed" });
  const link = /Open this to make the first account: (\S+)/.exec(stack.server.output)?.[1] ?? "";
  const { pathname, search } = new URL(link);
  const page = await openAs(null, { origin: stack.origin, path: pathname + search });
  const form = new SignInPage(page);
  const password = (name: string, typed: string) => form.field(name).fill(typed);
  await expect(page.getByText(form.text("form.invited"))).toBeVisible();
  await expect(page).toHaveURL(`${stack.origin}/sign_up`);
  await page.reload();
  await expect(page.getByText(form.text("form.invited"))).toBeVisible();
  await expect(form.field("form.code")).toHaveCount(0);
  await form.field("form.email").fill("first@example.com");
  await password("form.password", "first password");
  await password("form.confirmation", "first password");
  await page.getByRole("checkbox").check();
  await expectAccessible(page, "sign-up by invitation");
  await form.button("form.signUp").click();
  await expect(new ChatPage(page).composer).toBeFocused();
  await new Sidebar(page).accountAction("profile.logout");
  await expect(page).toHaveURL(/\/sign_in/);

  await page.goto(`${stack.origin}/sign_up`);
  await expect(page.getByText(form.text("registrationClosed"))).toBeVisible();
  await page.goto(`${stack.origin}/sign_in`);
  await page.getByRole("link", { name: form.text("form.forgot") }).click();
  // Without a mailer the page says where the code is, before it is asked for.
  await expect(page.getByText(form.text("form.outbox"))).toBeVisible();
  await form.button("form.continue").click();
  await expect(page.getByText(form.text("form.identifierEmpty"))).toBeVisible();
  await form.field("form.resetIdentifier").fill("first@example.com");
  await form.button("form.sendCode").click();
  await expect(form.field("form.code")).toBeFocused();
  // Where sign-up is closed the code is sent after the answer.
  await expect(() => stack.codeFor("first@example.com")).toPass();
  await form.field("form.code").fill(stack.codeFor("first@example.com"));
  await form.button("form.continue").click();
  await expect(form.field("form.newPassword")).toBeFocused();
  await form.button("form.back").click();
  await expect(form.field("form.resetIdentifier")).toHaveValue("first@example.com");
  // The browser's own Back and Forward lead between the two steps as well.
  await page.goForward();
  await expect(form.field("form.newPassword")).toBeFocused();
  await page.goBack();
  await expect(form.field("form.resetIdentifier")).toHaveValue("first@example.com");
  await form.button("form.continue").click();
  await expect(form.field("form.newPassword")).toBeFocused();
  await page.reload();
  await expect(form.field("form.resetIdentifier")).toHaveValue("first@example.com");
  await form.field("form.code").fill(stack.codeFor("first@example.com"));
  await form.button("form.continue").click();
  await password("form.newPassword", "short");
  await form.button("form.resetSubmit").click();
  await expect(page.getByText(form.text("form.passwordLength"))).toBeVisible();
  await expectAccessible(page, "a new password");
  await password("form.newPassword", "second password");
  await password("form.newConfirmation", "second password");
  await form.button("form.resetSubmit").click();
  await expect(page.getByText(form.text("form.resetDone"))).toBeVisible();
  await expect(page).toHaveURL(`${stack.origin}/sign_in`);
  // Back and Forward pass what is over.
  await page.goBack();
  await expect(form.field("form.resetIdentifier")).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(`${stack.origin}/sign_in`);
  // What was typed goes along between the two forms, and never in the address.
  await expect(form.field("form.identifier")).toHaveValue("first@example.com");
  await form.field("form.identifier").fill("second@example.com");
  await page.getByRole("link", { name: form.text("form.forgot") }).click();
  await expect(page).toHaveURL(`${stack.origin}/forgot_password`);
  await expect(form.field("form.resetIdentifier")).toHaveValue("second@example.com");
  await page.getByRole("link", { name: form.text("form.backToSignIn") }).click();
  await form.signIn({ email: "first@example.com", password: "second password" });
  await expect(new ChatPage(page).composer).toBeFocused();
});

test("who wanted a page is led to it after signing up and after a forgotten password [SHELL-010]", async ({
  openAs,
  stack,
}) => {
  const typed = { email: "wanted-page@example.com", code: () => stack.codeFor("wanted-page@example.com") };
  const page = await openAs(null, { path: "/sign_in?redirect=%2Fa%2Fcoder" });
  const form = new SignInPage(page);
  await page.getByRole("link", { name: form.text("form.signUp") }).click();
  await expect(page).toHaveURL("/sign_up?redirect=%2Fa%2Fcoder");
  await form.signUp({ ...typed, password: "first password" });
  await expect(page).toHaveURL("/a/coder");
  const sidebar = new Sidebar(page);
  await sidebar.accountAction("profile.logout");
  await expect(page).toHaveURL("/sign_in");

  async function forget(wanted: string, password: string) {
    await page.goto(`/sign_in?redirect=${encodeURIComponent(wanted)}`);
    await form.field("form.identifier").fill(typed.email);
    await page.getByRole("link", { name: form.text("form.forgot") }).click();
    await form.button("form.sendCode").click();
    await expect(form.field("form.code")).toBeFocused();
    await form.field("form.code").fill(typed.code());
    await form.button("form.continue").click();
    await form.field("form.newPassword").fill(password);
    await form.field("form.newConfirmation").fill(password);
    await form.button("form.resetSubmit").click();
    await expect(page).toHaveURL(`/sign_in?redirect=${encodeURIComponent(wanted)}`);
    await expect(form.field("form.identifier")).toHaveValue(typed.email);
    await form.field("form.password").fill(password);
    await form.button("form.signIn").click();
  }
  await forget("/a/coder", "second password");
  await expect(page).toHaveURL("/a/coder");
  await sidebar.accountAction("profile.logout");
  await expect(page).toHaveURL("/sign_in");
  await forget("//example.com", "third password");
  await expect(page).toHaveURL("/");
});

test("an address that is corrected while a code is on its way stays corrected", async ({ openAs }) => {
  const page = await openAs(null, { path: "/forgot_password" });
  const form = new SignInPage(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/create_email_verification_code", async (route) => {
    await held.promise;
    await route.continue();
  });
  const asked = page.waitForRequest("**/create_email_verification_code");
  await form.field("form.resetIdentifier").fill("mistyped-addres@example.com");
  await form.button("form.sendCode").click();
  await asked;
  await form.field("form.resetIdentifier").fill("mistyped-address@example.com");
  held.resolve();
  await expect(form.field("form.code")).toBeFocused();
  await expect(form.field("form.resetIdentifier")).toHaveValue("mistyped-address@example.com");
});

test("where phones of all regions are let in a code leads in outside the mainland, too; then one's age is asked for before anything is written [ACCT-042] [ACCT-043]", async ({
  openAs,
  startStack,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sent: { to: string; code: string }[] = [];
  const gateway = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      sent.push(JSON.parse(body) as (typeof sent)[number]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const stack = await startStack({
    PHONE_REGIONS: "*",
    SMS_WEBHOOK_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`,
    SMS_WEBHOOK_SECRET: "a secret of the gateway",
    MIN_AGE: "13",
  });
  try {
    const page = await openAs(null, { origin: stack.origin, path: "/sign_in" });
    const form = new SignInPage(page);
    await form.field("form.phone").fill("13800138000");
    await form.button("form.sendCode").click();
    await expect(page.getByText(form.text("form.codeSent"))).toBeVisible();
    expect(sent).toMatchObject([{ to: "+8613800138000" }]);
    await form.field("form.code").fill(sent[0]?.code ?? "");
    await form.button("form.signIn").click();

    const gate = page.getByRole("dialog", { name: form.text("account.birthdayTitle") });
    await expect(gate).toBeVisible();
    await expectAccessible(page, "the age gate");
    await page.keyboard.press("Escape");
    // No key leads past it: Settings, an export or what deletes all chats would be one line of the search away.
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+/");
    await page.keyboard.press("Control+j");
    await expect(page.locator("[role=dialog]")).toHaveCount(1);
    const confirm = gate.getByRole("button", { name: form.text("account.confirm") });
    await expect(confirm).toBeDisabled();
    await gate.getByLabel(form.text("account.birthdayYear")).selectOption("1990");
    await expect(confirm).toBeDisabled();
    await gate.getByLabel(form.text("account.birthdayMonth")).selectOption("5");
    const other = await page.context().newPage();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await other.route(/\/settings-parts-[^/]*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await other.goto(stack.origin);
    // While its code is on its way, too: what was opened then waits.
    await other.getByRole("button", { name: form.text("sidebar.search") }).click();
    release();
    const gateThere = other.getByRole("dialog", { name: form.text("account.birthdayTitle") });
    await expect(gateThere).toBeVisible();
    await expect(other.locator("[role=dialog]")).toHaveCount(1);
    await confirm.click();
    await expect(gate).toHaveCount(0);
    await expect(gateThere).toHaveCount(0);
    await expect(other.getByRole("dialog", { name: form.text("find.title") })).toBeVisible();
    await other.close();
    await page.bringToFront();
    await page.keyboard.press("Control+k");
    const search = page.getByRole("dialog", { name: form.text("find.title") });
    await expect(search).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(search).toHaveCount(0);
    const chat = new ChatPage(page);
    await chat.send(question);
    await chat.finished();
  } finally {
    gateway.close();
  }
});
