import { expect, test } from "../support/journey.ts";
import { ChatPage, plain } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

test("a chat continued, renamed and deleted on another device: an open page follows by itself, and what is typed stays", async ({
  chat,
  sidebar,
  account,
  openAs,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  await chat.send(question);
  await chat.finished();
  const sessionId = await chat.sessionId();
  const phone = new ChatPage(await openAs(account, { path: `/a/chat/s/${sessionId}` }));
  await expect(phone.questions).toHaveText([question]);

  const fromPhone = `${question}, from the phone`;
  upstream.script({ match: { user: fromPhone }, tokens: 200, paceMs: 50 });
  await chat.composer.fill("From the desktop");
  await phone.send(fromPhone);
  await expect(chat.questions).toHaveText([question, fromPhone]);
  await expect(chat.lastReply).toHaveAttribute("aria-busy", "true");
  await Promise.all([phone.finished(), chat.finished()]);
  expect(plain(await chat.answer())).toBe(plain(upstream.expected(fromPhone).answer));

  await expect(chat.composer).toHaveValue("From the desktop");
  await chat.composer.press("Enter");
  await expect(chat.questions).toHaveText([question, fromPhone, "From the desktop"]);
  await chat.finished();
  await expect(phone.questions).toHaveText([question, fromPhone, "From the desktop"]);

  await account.rename(sessionId, "Renamed on the phone");
  await expect(sidebar.row("Renamed on the phone")).toBeVisible();
  await chat.composer.fill("Not sent yet");
  const list = new Sidebar(phone.page);
  await list.rowAction("Renamed on the phone", "common.delete");
  await phone.page
    .getByRole("dialog")
    .getByRole("button", { name: chat.text("common.delete") })
    .click();
  await expect(chat.page).toHaveURL("/");
  await expect(chat.page.getByText(chat.text("chatDeleted"))).toBeVisible();
  await expect(chat.composer).toHaveValue("Not sent yet");
  await expect(sidebar.row("Renamed on the phone")).toHaveCount(0);
  await chat.composer.fill("");
});
