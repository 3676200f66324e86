import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

test("a chat continued on another device: nothing is hidden, the text stays, and is sent under the newer messages", async ({
  chat,
  account,
  openAs,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  await chat.send(question);
  await chat.finished();
  const path = `/a/chat/s/${await chat.sessionId()}`;
  const phone = new ChatPage(await openAs(account, { path }));
  await expect(phone.questions).toHaveText([question]);
  await phone.send("From the phone");
  await phone.finished();

  await chat.send("From the desktop");
  await expect(chat.page.getByText(chat.text("sessionHasNewerMessages"))).toBeVisible();
  await expect(chat.questions).toHaveText([question, "From the phone"]);
  await expect(chat.composer).toHaveValue("From the desktop");

  await chat.composer.press("Enter");
  await expect(chat.questions).toHaveText([question, "From the phone", "From the desktop"]);
  await chat.finished();
  await phone.page.reload();
  await expect(phone.questions).toHaveText([question, "From the phone", "From the desktop"]);
});
