// A stolen token costs its owner a session, never the account: what changes how one signs in asks first who it is, the owner is
// told and can undo it, and a reset shows what was added.
import type { Page } from "@playwright/test";
import { openStandInOpenId } from "../../server/test/stand-in-openid.ts";
import { expectAccessible } from "../support/accessible.ts";
import { ApiAccount } from "../support/api-account.ts";
import { changeSettings } from "../support/change-settings.ts";
import { refusedWith } from "../support/checks.ts";
import { endConfirmations } from "../support/end-confirmations.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";
import type { SingleStack } from "../support/start-stack.ts";

async function openAccountTab(page: Page): Promise<ChatPage> {
  const chat = new ChatPage(page);
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
  await page.getByRole("menuitem", { name: chat.text("profile.settings") }).click();
  await page.getByRole("tab", { name: chat.text("account.tab") }).click();
  return chat;
}

const promptOf = (chat: ChatPage) => chat.page.getByRole("dialog", { name: chat.text("confirm.title") });

/** Asks for the phone in the settings, and fills the form. */
async function askForPhone(chat: ChatPage, stack: SingleStack): Promise<string> {
  const { page } = chat;
  const mobile = `136${String(Date.now()).slice(-8)}`;
  await page.getByRole("button", { name: chat.text("account.verify"), exact: true }).click();
  const form = page.getByRole("dialog", { name: chat.text("account.phoneTitle") });
  await form.getByRole("textbox", { name: chat.text("form.phone") }).fill(mobile);
  await form.getByRole("button", { name: chat.text("form.sendCode") }).click();
  await expect(form.getByText(chat.text("form.codeInLog"))).toBeVisible();
  await form.getByRole("textbox", { name: chat.text("form.code") }).fill(stack.codeFor(`+86${mobile}`));
  await form.getByRole("button", { name: chat.text("account.verify") }).click();
  return mobile;
}

const masked = (mobile: string) => `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;

test("a phone is bound once its owner has confirmed who they are; the link of the notice removes it, and a reset lists another", async ({
  openAs,
  stack,
  consoleWatch,
}) => {
  consoleWatch.allow(refusedWith(401));
  const account = await ApiAccount.signUp(stack);
  const page = await openAs(account);
  await changeSettings(page, (settings) => (settings.misc.free_tokens_offer = 5_000_000));
  await page.reload();
  const chat = await openAccountTab(page);
  endConfirmations(stack);
  const mobile = await askForPhone(chat, stack);

  const prompt = promptOf(chat);
  const password = prompt.getByRole("textbox", { name: chat.text("form.password") });
  await expect(password).toBeFocused();
  await expectAccessible(page, "the question who it is");
  await password.fill("not the password");
  await page.keyboard.press("Enter");
  await expect(prompt.getByText(chat.text("confirmPasswordWrong"))).toBeVisible();
  expect(await account.get("/api/v0/users/current")).toMatchObject({ mobile_number: "" });
  await password.fill(account.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText(chat.text("phoneBound"))).toBeVisible();
  const panel = page.getByRole("tabpanel");
  await expect(panel.getByText(masked(mobile))).toBeVisible();
  const remove = panel.getByRole("button", { name: new RegExp(`^${chat.text("account.remove")}`) });
  await expect(remove).toBeVisible();
  await expectAccessible(page, "the ways into the account");

  const told = await openAs(null, { path: stack.server.linkFor(account.email) });
  const undo = new SignInPage(told);
  await expect(undo.button("undo.button")).toBeVisible();
  expect(told.url()).toBe(`${stack.origin}/undo_binding`);
  await expectAccessible(told, "the link of the notice");
  // Nothing is done by opening it.
  expect(await account.get("/api/v0/users/current")).toMatchObject({ mobile_number: masked(mobile) });
  await undo.button("undo.button").click();
  await expect(told.getByRole("heading", { name: undo.text("undo.doneTitle") })).toBeVisible();
  await expectAccessible(told, "a binding that was undone");
  expect(await account.codeOf("/api/v0/users/current")).toBe(40003);

  // Somebody else binds a phone with a password they know; the owner resets it.
  const again = await account.signInAgain();
  const other = await openAs(again);
  await changeSettings(other, (settings) => (settings.misc.free_tokens_offer = 5_000_000));
  await other.reload();
  const otherChat = await openAccountTab(other);
  const added = await askForPhone(otherChat, stack);
  await expect(other.getByText(otherChat.text("phoneBound"))).toBeVisible();
  await told.getByRole("link", { name: undo.text("undo.password") }).click();
  await undo.field("form.resetIdentifier").fill(account.email);
  await undo.button("form.sendCode").click();
  await expect(told.getByText(undo.text("form.codeInLog"))).toBeVisible();
  await undo.field("form.code").fill(stack.codeFor(account.email));
  await undo.button("form.continue").click();
  const listed = told.getByRole("checkbox", { name: masked(added) });
  await expect(listed).toBeChecked();
  await expectAccessible(told, "what was added before a reset");
  await undo.field("form.newPassword").fill("another long passphrase");
  await undo.field("form.newConfirmation").fill("another long passphrase");
  await undo.button("form.resetSubmit").click();
  await expect(told.getByText(undo.text("form.resetDone"))).toBeVisible();
  const owner = await Object.assign(account, { password: "another long passphrase" }).signInAgain();
  expect(await owner.get("/api/v0/users/current")).toMatchObject({ mobile_number: "" });
});

test("whose sign-in is old says who they are before the age that they give is kept [ACCT-042]", async ({
  openAs,
  startStack,
}) => {
  const stack = await startStack({ MIN_AGE: "13" });
  const account = await ApiAccount.signUp(stack);
  endConfirmations(stack);
  const page = await openAs(account, { origin: stack.origin });
  const chat = new ChatPage(page);
  const gate = page.getByRole("dialog", { name: chat.text("account.birthdayTitle") });
  await gate.getByLabel(chat.text("account.birthdayYear")).selectOption("1990");
  await gate.getByLabel(chat.text("account.birthdayMonth")).selectOption("5");
  const confirm = gate.getByRole("button", { name: chat.text("account.confirm") });
  await confirm.click();

  const prompt = promptOf(chat);
  const password = prompt.getByRole("textbox", { name: chat.text("form.password") });
  await expect(password).toBeFocused();
  await expectAccessible(page, "the question who it is, over the age gate");
  await page.keyboard.press("Escape");
  await expect(prompt).toHaveCount(0);
  await confirm.click();
  await password.fill(account.password);
  await page.keyboard.press("Enter");
  await expect.poll(() => account.get("/api/v0/users/current")).toMatchObject({ need_birthday: false });
  await expect(prompt).toHaveCount(0);
  await expect(gate).toHaveCount(0);
});

test("an account stays where its owner does not confirm who they are, and a link that is not valid removes nothing", async ({
  openAs,
  stack,
}) => {
  const account = await ApiAccount.signUp(stack);
  const page = await openAs(account);
  const chat = await openAccountTab(page);
  endConfirmations(stack);
  await page.getByRole("button", { name: chat.text("account.deleteButton"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: chat.text("account.deleteTitle") });
  await dialog.getByRole("textbox").fill(chat.text("account.deletePhrase"));
  await dialog.getByRole("button", { name: chat.text("account.delete") }).click();
  const prompt = promptOf(chat);
  await prompt.getByRole("button", { name: chat.text("confirm.byEmail") }).click();
  await prompt.getByRole("button", { name: chat.text("form.sendCode") }).click();
  await expect(prompt.getByText(chat.text("form.codeInLog"))).toBeVisible();
  await expectAccessible(page, "the code that confirms who it is");
  const code = stack.codeFor(account.email);
  await prompt.getByRole("textbox").fill(code === "000000" ? "000001" : "000000");
  await page.keyboard.press("Enter");
  await expect(prompt.getByText(chat.text("codeWrong"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(prompt).toHaveCount(0);
  await expect(page.getByText(chat.text("identityNotConfirmed"))).toBeVisible();
  await expect(dialog.getByRole("button", { name: chat.text("account.delete") })).toBeEnabled();
  expect(await account.codeOf("/api/v0/users/current")).toBe(0);

  const told = await openAs(null, { path: "/undo_binding#forged" });
  const undo = new SignInPage(told);
  await undo.button("undo.button").click();
  await expect(told.getByText(undo.text("undoLinkInvalid"))).toBeVisible();
  await expectAccessible(told, "a link that is not valid");
  // Who loads the page anew has to open the link once more.
  await told.reload();
  await expect(told.getByText(undo.text("undo.noToken"))).toBeVisible();
});

test("a fresh sign-in with Google confirms its own account alone, and leads back to what it was for", async ({
  openAs,
  startStack,
}) => {
  const google = await openStandInOpenId();
  const ada = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true };
  const eve = { sub: "eve", name: "Eve", email: "eve@example.com", email_verified: true };
  google.state.visitor = ada;
  const stack = await startStack(google.settings);
  const page = await openAs(null, { origin: stack.origin, path: "/sign_in" });
  await new SignInPage(page).button("form.withGoogle").click();
  await expect(new ChatPage(page).composer).toBeVisible();
  await page.goto("/a/coder");
  const chat = await openAccountTab(page);
  endConfirmations(stack);
  const removeAccount = page.getByRole("button", { name: chat.text("account.deleteButton"), exact: true });
  const dialog = page.getByRole("dialog", { name: chat.text("account.deleteTitle") });

  async function askForGoogle() {
    await removeAccount.click();
    await dialog.getByRole("textbox").fill(chat.text("account.deletePhrase"));
    await dialog.getByRole("button", { name: chat.text("account.delete") }).click();
    const other = promptOf(chat).getByRole("button", { name: chat.text("confirm.byGoogle") });
    const leave = promptOf(chat).getByRole("button", { name: chat.text("form.withGoogle") });
    await expect(other.or(leave)).toBeVisible();
    if (await other.isVisible()) await other.click();
    await leave.click();
  }
  google.state.visitor = eve;
  await askForGoogle();
  await expect(page.getByText(chat.text("confirmOtherAccount"))).toBeVisible();
  await expect(page).toHaveURL(`${stack.origin}/a/coder`);

  google.state.visitor = ada;
  await askForGoogle();
  await expect(page.getByText(chat.text("identityConfirmed"))).toBeVisible();
  await expect(page).toHaveURL(`${stack.origin}/a/coder`);
  // It is left to its owner.
  await expect(removeAccount).toBeVisible();
  await removeAccount.click();
  await dialog.getByRole("textbox").fill(chat.text("account.deletePhrase"));
  await dialog.getByRole("button", { name: chat.text("account.delete") }).click();
  await expect(page).toHaveURL(`${stack.origin}/sign_in`);
  await expect(page.getByText(chat.text("accountDeleted"))).toBeVisible();
  await google.close();
});
