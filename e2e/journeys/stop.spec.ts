import { expect, test } from "../support/journey.ts";
import { ChatPage, plain } from "../support/pages/chat-page.ts";

test("a reply is stopped in the middle: its text stays, the model is aborted, and other devices say so, too [ENG-078] [ENG-079]", async ({
  chat,
  account,
  openAs,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 2000, paceMs: 20 });
  await chat.send(question);
  await chat.answerReaches(60);
  const other = new ChatPage(await openAs(account, { path: `/a/chat/s/${await chat.sessionId()}` }));
  await other.answerReaches(60);
  await chat.sendButton.click();
  await chat.finished(4000);

  await expect(chat.lastReply).toContainText(chat.text("status.stopped"));
  await expect(other.lastReply).toContainText(chat.text("status.stopped"));
  const { message, answer } = await account.lastReply(await chat.sessionId());
  expect(message.status).toBe("INCOMPLETE");
  expect(answer.length).toBeGreaterThanOrEqual(60);
  expect(upstream.expected(question).answer.startsWith(answer)).toBe(true);
  expect(plain(await chat.answer())).toBe(plain(answer));
  await expect.poll(() => calls.firstAnswer?.state).toBe("aborted_by_client");

  await chat.page.reload();
  await expect(chat.replies).toHaveCount(1);
  await expect(chat.lastReply).toContainText(chat.text("status.stopped"));
  await expect.poll(async () => plain(await chat.answer())).toBe(plain(answer));
});

test("a reply is stopped before its first token [ENG-078]", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, firstChunkMs: 60_000 });
  await chat.send(question);
  await expect.poll(() => calls.count("answer")).toBe(1);
  await expect(chat.sendButton).toHaveAttribute("data-send", "stop");
  await chat.sendButton.click();
  await expect(chat.sendButton).not.toHaveAttribute("data-send", /stop|loading/);

  const [session] = await account.sessions();
  const { message, answer } = await account.lastReply(session?.id ?? "");
  expect(message.status).toBe("INCOMPLETE");
  expect(answer).toBe("");
  await expect.poll(() => calls.firstAnswer?.state).toBe("aborted_by_client");
  // The page is fit for the next message.
  await expect(chat.composer).toBeEditable();
});
