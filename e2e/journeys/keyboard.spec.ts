// Hands that stay on the keys: where the focus can go, and where it goes by itself.
import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

test("the list is one tab stop with arrows inside; keys open a row's menu, its neighbours, and the way to the composer", async ({
  openAs,
  stack,
  calls,
}) => {
  const titles = ["Newest", "Middle", "Oldest"];
  calls.expect({ answer: titles.length });
  const owner = await ApiAccount.signUp(stack);
  for (const title of titles.toReversed()) await owner.rename(await owner.ask(`On ${title}`), title);
  const page = await openAs(owner);
  const chat = new ChatPage(page);
  const sidebar = new Sidebar(page);
  const press = (key: string) => page.keyboard.press(key);
  await expect(sidebar.rows).toHaveText(titles);
  await expect(chat.composer).toBeFocused();

  await press("Alt+ArrowDown");
  await expect(chat.questions).toHaveText("On Newest");
  await press("Alt+ArrowDown");
  await expect(chat.questions).toHaveText("On Middle");
  await press("Alt+ArrowUp");
  await expect(chat.questions).toHaveText("On Newest");

  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    document.getSelection()?.setPosition(document.body, 0);
  });
  await page.reload();
  await expect(chat.questions).toHaveText("On Newest");
  // Backwards from the first control after the list.
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).focus();
  await press("Shift+Tab");
  await expect(sidebar.row("Newest")).toBeFocused();
  await press("ArrowDown");
  await press("ArrowDown");
  await expect(sidebar.row("Oldest")).toBeFocused();
  await press("ArrowDown");
  await expect(sidebar.row("Oldest")).toBeFocused();
  await press("Home");
  await expect(sidebar.row("Newest")).toBeFocused();
  await press("ArrowRight");
  const menuButton = page.getByRole("button", { name: sidebar.text("sidebar.rowMenu", { title: "Newest" }) });
  await expect(menuButton).toBeFocused();
  await press("ArrowLeft");
  await press("Shift+F10");
  await expect(page.getByRole("menuitem", { name: chat.text("sidebar.pin") })).toBeFocused();
  await press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(sidebar.row("Newest")).toBeFocused();
  await press("ArrowRight");
  await press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: chat.text("sidebar.pin") })).toBeFocused();
  await press("Escape");
  await expect(menuButton).toBeFocused();
  // By mouse, at a row that has no focus.
  const other = page.getByRole("button", { name: sidebar.text("sidebar.rowMenu", { title: "Oldest" }) });
  await other.click();
  await expect(page.getByRole("menu")).toBeVisible();
  await press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(other).toBeFocused();
  await press("Home");
  await menuButton.focus();
  await press("Shift+F10");
  await press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: chat.text("common.rename") })).toBeFocused();
  await press("Enter");
  await expect(sidebar.titleField).toBeFocused();
  await press("Escape");
  await expect(sidebar.titleField).toHaveCount(0);
  await expect(sidebar.row("Newest")).toBeFocused();
  await press("Shift+F10");
  await press("End");
  await expect(page.getByRole("menuitem", { name: chat.text("common.delete") })).toBeFocused();
  await press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(sidebar.row("Newest")).toBeFocused();
  // To the pinned ones, and back.
  await press("End");
  for (const [item, titlesThen] of [
    ["sidebar.pin", ["Oldest", "Newest", "Middle"]],
    ["sidebar.unpin", titles],
  ] as const) {
    await press("Shift+F10");
    await expect(page.getByRole("menuitem", { name: chat.text(item) })).toBeFocused();
    await press("Enter");
    await expect(sidebar.rows).toHaveText([...titlesThen]);
    await expect(sidebar.row("Oldest")).toBeFocused();
  }
  await press("Home");
  await press("Tab");
  await expect(sidebar.row("Oldest")).not.toBeFocused();
  await expect(sidebar.navigation.getByRole("link", { name: "Middle" })).not.toBeFocused();

  await chat.button("sidebar.collapse").press("Enter");
  await expect(chat.button("sidebar.expand")).toBeFocused();
  await press("Enter");
  await expect(chat.button("sidebar.collapse")).toBeFocused();

  await chat.button("app.skipToComposer").focus();
  await expect(chat.button("app.skipToComposer")).toBeVisible();
  await press("Enter");
  await expect(chat.composer).toBeFocused();

  await chat.conversation.focus();
  await page.keyboard.type("typed from afar");
  await expect(chat.composer).toHaveValue("typed from afar");
  await chat.composer.fill("");

  // What goes away with its key, or lets go of it, leaves the focus at the place to write.
  await page.getByRole("textbox", { name: chat.text("header.title") }).focus();
  await press("Escape");
  await expect(chat.composer).toBeFocused();
});

test("the button that leads down to the end of a chat leaves the focus at the place to write", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question, kind: "answer" }, answer: "A line.\n\n".repeat(80) });
  const page = await openAs(account, { path: `/a/chat/s/${await account.ask(question)}` });
  const chat = new ChatPage(page);
  await expect(chat.composer).toBeFocused();
  await chat.conversation.focus();
  await page.keyboard.press("Home");
  // The browser goes there step by step, and would go on after the button was pressed.
  await expect.poll(() => chat.conversation.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await chat.button("conversation.toBottom").press("Enter");
  await expect(chat.button("conversation.toBottom")).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
});

test("after a code was sent the focus is in its field, beside what happened with it", async ({ openAs }) => {
  const page = await openAs(null, { path: "/sign_up" });
  const form = new SignInPage(page);
  await expect(page).toHaveTitle(`${form.text("form.signUpTitle")} - Plumb`);
  await form.field("form.email").fill(`code-${Date.now()}@example.com`);
  await form.button("form.sendCode").click();
  await expect(form.field("form.code")).toBeFocused();
  await expect(form.field("form.code")).toHaveAccessibleDescription(form.text("form.codeInLog"));
});

test("a row's tooltip is for a cut title and a pointer that moved, and a key ends it", async ({
  openAs,
  stack,
  calls,
}) => {
  calls.expect({ answer: 2 });
  const owner = await ApiAccount.signUp(stack);
  const long = "WIDE TITLES ARE WIDER THAN ROWS";
  await owner.rename(await owner.ask("One"), "Short");
  await owner.rename(await owner.ask("Two"), long);
  const page = await openAs(owner);
  const sidebar = new Sidebar(page);
  const tooltip = page.getByRole("tooltip");
  await sidebar.row(long).hover();
  await expect(tooltip).toHaveText(long);
  await page.keyboard.press("Shift");
  await expect(tooltip).toHaveCount(0);
  await sidebar.row("Short").hover();
  await expect(sidebar.row("Short")).toHaveCSS("text-decoration-line", "none");
  await sidebar.row(long).hover();
  await expect(tooltip).toHaveText(long);
});
