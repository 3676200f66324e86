import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

test("chats stand under Today, are renamed, pinned and deleted [SHELL-047] [SESS-015] [SESS-025] [SESS-026] [SESS-031]", async ({
  openAs,
  stack,
  calls,
}) => {
  calls.expect({ answer: 3 });
  const owner = await ApiAccount.signUp(stack);
  for (const title of ["Apples", "Pears", "Plums"])
    await owner.rename(await owner.ask(`About ${title}`), title);
  const page = await openAs(owner);
  const sidebar = new Sidebar(page);
  const today = sidebar.group("sidebar.today");
  await expect(today.getByRole("link")).toHaveText(["Plums", "Pears", "Apples"]);

  await sidebar.rowAction("Apples", "common.rename");
  const dialog = page.getByRole("dialog");
  const field = sidebar.titleField;
  await expect(field).toBeFocused();
  await expectAccessible(page, "a row's title");
  await field.fill("  Green apples ");
  await field.press("Enter");
  await expect(today.getByRole("link")).toHaveText(["Green apples", "Plums", "Pears"]);
  await expect(sidebar.row("Green apples")).toBeFocused();
  // Leaving the field saves too; an empty title and Escape don't.
  await sidebar.rowAction("Plums", "common.rename");
  await field.fill("Red plums");
  await page.mouse.click(600, 300);
  await expect(today.getByRole("link")).toHaveText(["Red plums", "Green apples", "Pears"]);
  for (const [typed, key] of [
    ["  ", "Enter"],
    ["Thrown away", "Escape"],
  ] as const) {
    await sidebar.rowAction("Red plums", "common.rename");
    await field.fill(typed);
    await field.press(key);
    await expect(field).toHaveCount(0);
  }
  await expect(today.getByRole("link")).toHaveText(["Red plums", "Green apples", "Pears"]);

  const pinned = sidebar.group("sidebar.pinned");
  await sidebar.rowAction("Pears", "sidebar.pin");
  await expect(pinned.getByRole("link")).toHaveText(["Pears"]);
  await expect(today.getByRole("link")).toHaveText(["Red plums", "Green apples"]);
  await page.reload();
  await expect(pinned.getByRole("link")).toHaveText(["Pears"]);
  await sidebar.rowAction("Pears", "sidebar.unpin");
  await expect(pinned).toHaveCount(0);

  await sidebar.row("Pears").click();
  const title = page.getByRole("textbox", { name: sidebar.text("header.title") });
  await title.fill("Yellow pears");
  await title.press("Enter");
  await expect(sidebar.row("Yellow pears")).toHaveAttribute("aria-current", "page");
  await expect(page).toHaveTitle("Yellow pears - Plumb");
  await title.fill("thrown away");
  await title.press("Escape");
  await expect(title).toHaveValue("Yellow pears");

  // One that is refused is said beside the title, and stays to be tried again. In the list it ends in … where it is cut.
  const wide = "W".repeat(32);
  const refused = { code: 0, msg: "", data: { biz_code: 3, biz_msg: "TITLE_TOO_LONG", biz_data: null } };
  await page.route("**/chat_session/update_title", (route) => route.fulfill({ json: refused }), { times: 1 });
  await title.fill(wide);
  await title.press("Enter");
  const failure = page.getByRole("status").getByText(sidebar.text("renameFailed"));
  await expect(failure).toBeVisible();
  await expect(title).toHaveValue("Yellow pears");
  const { y, height } = (await title.boundingBox()) ?? { y: 0, height: 0 };
  expect((await failure.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
  await title.focus();
  await expect(title).toHaveValue(wide);
  await title.press("Enter");
  const isCut = (name: string) =>
    sidebar
      .row(name)
      .locator("span")
      .first()
      .evaluate((span) => span.scrollWidth > span.clientWidth && getComputedStyle(span).textOverflow);
  await expect.poll(() => isCut(wide)).toBe("ellipsis");
  expect(await isCut("Red plums")).toBe(false);
  await title.fill("Yellow pears");
  await title.press("Enter");
  const listTop = (await today.boundingBox())?.y;

  await sidebar.rowAction("Yellow pears", "common.delete");
  await expect(dialog).toContainText("Yellow pears");
  await expectAccessible(page, "delete dialog");
  await dialog.getByRole("button", { name: sidebar.text("common.cancel") }).click();
  await expect(sidebar.row("Yellow pears")).toBeVisible();
  await sidebar.rowAction("Yellow pears", "common.delete");
  await dialog.getByRole("button", { name: sidebar.text("common.delete") }).click();
  await expect(sidebar.row("Yellow pears")).toHaveCount(0);
  await expect(page).toHaveURL("/");
  // In the place of the button a word says where one is.
  await expect(sidebar.navigation.getByText(sidebar.text("common.newChat"))).toHaveAttribute(
    "aria-current",
    "page",
  );
  expect((await today.boundingBox())?.y).toBe(listTop);

  await page.reload();
  await expect(today.getByRole("link")).toHaveText(["Red plums", "Green apples"]);
  const listed = await owner.sessions();
  expect(listed.map((session) => session.title)).toEqual(["Red plums", "Green apples"]);

  // A title that another device gives while the field is open stays, where nothing is typed there.
  await sidebar.rowAction("Green apples", "common.rename");
  await owner.rename(listed[1]?.id ?? "", "Sour apples");
  const heard = page.waitForResponse(/fetch_page/);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await heard;
  await page.mouse.click(600, 300);
  await expect(today.getByRole("link")).toHaveText(["Sour apples", "Red plums"]);
  expect((await owner.sessions())[0]?.title).toBe("Sour apples");
});

test("older chats load when the end of the list comes into view, also where a page does not fill it [SESS-011] [SESS-018] [SESS-019]", async ({
  openAs,
  stack,
  calls,
}) => {
  const count = 60;
  calls.expect({ answer: count });
  const owner = await ApiAccount.signUp(stack);
  for (let start = 0; start < count; start += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => owner.ask(`Chat ${start + index}`)));
  }
  const page = await openAs(owner);
  const sidebar = new Sidebar(page);
  await expect(sidebar.rows).toHaveCount(50);
  await sidebar.rows.last().scrollIntoViewIfNeeded();
  await expect(sidebar.rows).toHaveCount(count);

  // A list with room for all of them asks on by itself.
  await page.setViewportSize({ width: 1440, height: 4000 });
  await page.reload();
  await expect(sidebar.rows).toHaveCount(count);
});

test("the sidebar folds to a rail and stays so [SHELL-036] [SHELL-039] [SHELL-041]", async ({
  chat,
  sidebar,
}) => {
  await chat.button("sidebar.collapse").click();
  await expect(chat.button("sidebar.expand")).toBeVisible();
  await expectAccessible(chat.page, "folded sidebar");
  await chat.page.reload();
  await chat.button("sidebar.expand").click();
  await expect(sidebar.navigation.getByRole("link", { name: "Plumb" })).toBeVisible();
});

test("deleting a chat whose reply runs aborts the model [SESS-029]", async ({
  chat,
  sidebar,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 2000, paceMs: 20 });
  await chat.send(question);
  await chat.answerReaches(40);
  const sessionId = await chat.sessionId();
  const row = chat.page.locator(`li:has(a[href$="${sessionId}"])`);
  await row.hover();
  await row.getByRole("button").click();
  await chat.page.getByRole("menuitem", { name: sidebar.text("common.delete") }).click();
  await chat.page
    .getByRole("dialog")
    .getByRole("button", { name: sidebar.text("common.delete") })
    .click();
  await expect(chat.page).toHaveURL("/");
  await expect(row).toHaveCount(0);
  await expect.poll(() => calls.firstAnswer?.state).toBe("aborted_by_client");
});

test("a chat that does not exist leads home with a message [SHELL-026]", async ({ openAs, account }) => {
  const page = await openAs(account, { path: "/a/chat/s/00000000-0000-4000-8000-000000000000" });
  await expect(page).toHaveURL("/");
  await expect(page.getByText(new ChatPage(page).text("chatNotFound"))).toBeVisible();
});
