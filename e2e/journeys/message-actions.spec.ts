import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { plain } from "../support/pages/chat-page.ts";

test("a reply is asked for again, its question edited, and a stopped reply goes on", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3, continuation: 1 });
  const { page } = chat;
  const edited = `${question}, or so`;
  upstream.script(
    { match: { user: edited, kind: "answer" }, tokens: 1000, paceMs: 20 },
    { match: { user: edited, kind: "continuation" }, tokens: 1000 },
    { match: { user: question, kind: "answer" }, times: 1, answer: "The first." },
    { match: { user: question, kind: "answer" }, times: 1, answer: "The second." },
  );
  await chat.send(question);
  await chat.finished();
  await expect(chat.lastReply).toContainText("The first.");

  // What is pressed goes away with it: the focus goes on to the place to write.
  await chat.button("conversation.regenerate").press("Enter");
  await expect(chat.lastReply).toContainText("The second.");
  await expect(chat.composer).toBeFocused();
  await chat.finished();

  // By keyboard: given up, the box returns the focus to where it was opened; then it is sent.
  const edit = chat.button("conversation.edit");
  const box = page.getByRole("textbox", { name: chat.text("edit.label") });
  const replyTop = async () => (await chat.lastReply.boundingBox())?.y;
  const before = await replyTop();
  await edit.focus();
  await page.keyboard.press("Enter");
  await expect(box).toBeFocused();
  expect(await replyTop()).toBe(before);
  await page.keyboard.type(", or so");
  await page.keyboard.press("Escape");
  await expect(edit).toBeFocused();
  await expect(chat.questions).toHaveText([question]);
  await page.keyboard.press("Enter");
  await expect(box).toHaveValue(question);
  await page.keyboard.type(", or");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(" so");
  await expectAccessible(page, "an edit box");
  await page.keyboard.press("Enter");
  await expect(chat.questions).toContainText([edited]);
  await expect(box).toBeHidden();
  await expect(chat.composer).toBeFocused();

  await chat.answerReaches(60);
  await expect(chat.button("conversation.regenerate")).toBeHidden();
  await chat.sendButton.click();
  await chat.finished(4000);
  const goOn = chat.button("conversation.continue");
  await expect(goOn).toBeVisible();
  await goOn.press("Enter");
  await expect(chat.composer).toBeFocused();
  await chat.finished();
  await expect(goOn).toBeHidden();
  const { answer } = upstream.expected(edited);
  expect(plain(await chat.answer())).toBe(plain(answer));

  await page.reload();
  await expect(chat.questions).toContainText([edited]);
  await expect.poll(async () => plain(await chat.answer())).toBe(plain(answer));
});
