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
  upstream.script({ match: { user: fromPhone }, tokens: 140, paceMs: 50 });
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

test("a send that meets a running reply of another device: the reply is shown, and after it the send goes by its retry", async ({
  chat,
  account,
  openAs,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  await chat.send(question);
  await chat.finished();
  const phone = new ChatPage(await openAs(account, { path: `/a/chat/s/${await chat.sessionId()}` }));
  await expect(phone.questions).toHaveText([question]);
  const fromPhone = `${question}, from the phone`;
  upstream.script({ match: { user: fromPhone }, tokens: 200, fault: { at: 100, kind: "stall" } });

  // The desktop must not hear of the reply before it sends.
  const { promise: sent, resolve: release } = Promise.withResolvers<void>();
  const history = "**/history_messages?*";
  await chat.page.route(history, (route) => sent.then(() => route.continue()));
  await phone.send(fromPhone);
  await phone.answerReaches(20);
  await chat.send("From the desktop");
  const card = chat.page.getByRole("main").getByRole("alert");
  await expect(card).toHaveText(chat.text("lastMessageInProgress"));
  release();
  await expect(chat.questions).toContainText([question, fromPhone, "From the desktop"]);
  await expect(card).toHaveText(chat.text("lastMessageInProgress"));

  upstream.release();
  await expect(card).toHaveText(chat.text("messageWasInProgress"));
  await expect(chat.composer).toHaveValue("From the desktop");
  await chat.button("common.retry").click();
  await chat.finished();
  await expect(card).toHaveCount(0);
  await expect(chat.questions).toHaveText([question, fromPhone, "From the desktop"]);
  await expect(chat.composer).toHaveValue("");
});
