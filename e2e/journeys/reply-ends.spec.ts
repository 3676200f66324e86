import { expect, test } from "../support/journey.ts";

test("a screen reader announces how a reply ended: complete, or stopped", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const told = (key: string) => chat.page.getByRole("status").filter({ hasText: chat.text(key) });
  upstream.script({ match: { user: question }, answer: "All of it." });
  await chat.send(question);
  await chat.finished();
  await expect(told("conversation.replyReady")).toHaveCount(1);

  const longer = `${question}, at length`;
  upstream.script({ match: { user: longer }, tokens: 2000, paceMs: 20 });
  await chat.send(longer);
  await expect(told("conversation.replyRunning")).toHaveCount(1);
  await chat.answerReaches(60);
  await chat.sendButton.click();
  await chat.finished();
  await expect(told("status.stopped")).toHaveCount(1);
  await expect(told("conversation.replyReady")).toHaveCount(0);
});

test("a reply that ends with a thought or blanks alone says so as it ends and when its chat is opened again; a retry adds one", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  const note = chat.lastReply.getByText(chat.text("status.noAnswer"));
  const retry = chat.lastReply.getByRole("button", { name: chat.text("common.retry") });
  const ends = {
    thought: { reasoning: "It is hard to say.", answer: "" },
    blanks: { reasoning: "It is easy to say.", answer: " \n\n " },
  };
  for (const [name, end] of Object.entries(ends)) {
    const asked = `${question}, ${name}`;
    upstream.script({ match: { user: asked }, ...end });
    await chat.send(asked);
    await expect(chat.questions.last()).toHaveText(asked);
    await chat.finished();
    for (const reopened of [false, true]) {
      if (reopened) await chat.page.reload();
      await expect(note).toBeVisible();
      await expect(retry).toBeVisible();
      await expect(chat.lastReply.getByRole("alert")).toHaveCount(0);
      await expect(chat.lastReply.getByRole("button", { name: chat.text("common.copy") })).toHaveCount(0);
    }
  }
  const asked = `${question}, blanks`;
  upstream.script({ match: { user: asked }, answer: "Here it is." });
  await retry.click();
  await expect(chat.lastReply).toContainText("Here it is.");
  await chat.finished();
  await expect(chat.questions.last()).toHaveText(asked);
  await expect(note).toHaveCount(0);
});

test("a reply without text is marked so after a reload too, and a retry replaces it", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  upstream.script({ match: { user: question }, firstChunkMs: 20_000 });
  await chat.send(question);
  await expect.poll(() => calls.count("answer")).toBe(1);
  await expect(chat.sendButton).toHaveAttribute("data-send", "stop");
  await chat.sendButton.click();
  await chat.finished();
  await chat.sessionId();
  await chat.page.reload();
  await expect(chat.lastReply).toContainText(chat.text("status.stopped"));

  upstream.script({ match: { user: question }, answer: "Here it is." });
  await chat.lastReply.getByRole("button", { name: chat.text("common.retry") }).click();
  await expect(chat.lastReply).toContainText("Here it is.");
  await chat.finished();
  await expect(chat.questions).toHaveText([question]);
});
