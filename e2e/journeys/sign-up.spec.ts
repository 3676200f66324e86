import { randomBytes } from "node:crypto";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

test("a visitor signs up by email, signs out and signs in again [AUTH-027] [AUTH-022] [ACCT-028] [SESS-020]", async ({
  openAs,
  stack,
}) => {
  const email = `visitor-${randomBytes(4).toString("hex")}@example.com`;
  const password = "pass word 1234";
  // An invitation that is good no more keeps nobody out where sign-up is open.
  const page = await openAs(null, { path: "/sign_up?invitation=used" });
  const form = new SignInPage(page);
  await expect(page.getByText(form.text("form.invited"))).toBeVisible();
  await form.field("form.email").fill(email);
  for (const field of ["form.password", "form.confirmation"]) await form.field(field).fill(password);
  await page.getByRole("checkbox").check();
  await form.button("form.signUp").click();
  await expect(page.getByText(form.text("invitationInvalid"))).toBeVisible();
  await expect(page.getByText(form.text("form.invited"))).toHaveCount(0);
  // It may be the address that was wrong: only the visitor leaves the invitation out.
  await expect(form.field("form.code")).toHaveCount(0);
  await expectAccessible(page, "an invitation that was refused");
  await form.button("form.withoutInvitation").click();
  await expect(form.field("form.code")).toBeVisible();
  await expect(page.getByText(form.text("invitationInvalid"))).toHaveCount(0);
  await expect(form.field("form.email")).toHaveValue(email);

  await page.goto("/");
  await expect(page).toHaveURL("/sign_in");
  await expectAccessible(page, "sign-in");
  await page.getByRole("link", { name: form.text("form.signUp") }).click();
  await expect(page).toHaveURL("/sign_up");
  // Without a mailer the page says where the code is.
  await expect(page.getByText(form.text("form.outbox"))).toBeVisible();
  await expectAccessible(page, "sign-up");

  await form.signUp({ email, password, code: () => stack.codeFor(email) });
  await expect(page).toHaveURL("/");
  await expect(new ChatPage(page).composer).toBeFocused();
  await expectAccessible(page, "welcome");

  const sidebar = new Sidebar(page);
  await expect(sidebar.navigation).toContainText(sidebar.text("sidebar.empty"));
  await sidebar.accountAction("profile.logout");
  await expect(page).toHaveURL("/sign_in");

  await form.signIn({ email, password });
  await expect(page).toHaveURL("/");
  await page.reload();
  await expect(new ChatPage(page).composer).toBeVisible();
});

test("wrong entries are marked under their fields, and what was typed stays [AUTH-045] [AUTH-048] [AUTH-050]", async ({
  openAs,
}) => {
  const page = await openAs(null, { path: "/sign_up" });
  const form = new SignInPage(page);
  await form.field("form.email").fill("someone@example.com");
  await form.field("form.code").fill("12");
  await form.field("form.password").fill("short");
  await form.field("form.confirmation").fill("other");
  await form.button("form.signUp").click();
  for (const key of [
    "form.codeInvalid",
    "form.passwordLength",
    "form.confirmationDiffers",
    "form.consentMissing",
  ]) {
    await expect(page.getByText(form.text(key))).toBeVisible();
  }
  await expect(form.field("form.code")).toBeFocused();
  await expect(form.field("form.email")).toHaveValue("someone@example.com");
  await expectAccessible(page, "sign-up with errors");
});

test("a wrong password is refused with the same words as an unknown account", async ({ openAs, account }) => {
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  for (const email of [account.email, "nobody@example.com"]) {
    await form.signIn({ email, password: "not the password" });
    await expect(page.getByRole("alert").filter({ hasText: form.text("passwordOrUserWrong") })).toBeVisible();
    await page.reload();
  }
});

test("a visitor who opens a chat before signing in is led to it afterwards [SHELL-010]", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const sessionId = await account.ask(question);
  const path = `/a/chat/s/${sessionId}`;
  const page = await openAs(null, { path });
  await expect(page).toHaveURL(`/sign_in?redirect=${encodeURIComponent(path)}`);
  await new SignInPage(page).signIn(account);
  await expect(page).toHaveURL(path);
  await expect(new ChatPage(page).questions).toHaveText(question);
});

test("an invitation for one address is not lost by another one; where it is the only way in, that is said in place of the welcome", async ({
  openAs,
  startStack,
}) => {
  const stack = await startStack({ SIGN_UP: "invitation" });
  const path = /first account: \S+(\/sign_up\S+)/.exec(stack.server.output)?.[1] ?? "";
  const page = await openAs(null, { origin: stack.origin, path });
  const form = new SignInPage(page);
  const asked: string[] = [];
  // As the server answers to an invitation that is bound to the other address.
  await page.route("**/api/v0/users/register", async (route) => {
    const { payload } = route.request().postDataJSON() as { payload: { email: string; invitation: string } };
    asked.push(payload.invitation);
    if (payload.email === "right@example.com") return route.continue();
    return route.fulfill({
      json: {
        code: 0,
        msg: "",
        data: { biz_code: 10, biz_msg: "INVITATION_INVALID", biz_data: {} },
        context: { logId: "" },
      },
    });
  });
  await form.field("form.email").fill("wrong@example.com");
  for (const field of ["form.password", "form.confirmation"]) await form.field(field).fill("pass word 1234");
  await page.getByRole("checkbox").check();
  await form.button("form.signUp").click();
  await expect(page.getByText(form.text("invitationInvalid"))).toBeVisible();
  await expect(page.getByText(form.text("form.closedText"))).toBeVisible();
  await expect(page.getByText(form.text("form.invited"))).toHaveCount(0);
  await form.field("form.email").fill("right@example.com");
  await form.button("form.signUp").click();
  await expect(new ChatPage(page).composer).toBeFocused();
  expect(asked).toHaveLength(2);
  expect(asked[1]).toBe(asked[0]);
});
