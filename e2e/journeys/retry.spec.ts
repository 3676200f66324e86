import { expect, test } from "../support/journey.ts";
import { expectAccessible } from "../support/accessible.ts";
import { plain } from "../support/pages/chat-page.ts";

test("a model that breaks off in mid-reply: what came is shown with a retry, and the retry answers the question in its place", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  upstream.script({
    match: { user: question, kind: "answer" },
    times: 1,
    tokens: 60,
    paceMs: 10,
    fault: { at: 120, kind: "error_object" },
  });
  upstream.script({ match: { user: question }, tokens: 60 });
  await chat.send(question);
  const retry = chat.button("common.retry");
  await expect(retry).toBeVisible();
  expect((await chat.answer()).length).toBeGreaterThan(60);
  await expectAccessible(chat.page, "a failed reply");
  await retry.click();
  await chat.finished();
  await expect(retry).toBeHidden();
  const { answer } = upstream.expected(question);
  expect(plain(await chat.answer())).toBe(plain(answer));
  await expect(chat.questions).toHaveCount(1);

  const sessionId = await chat.sessionId();
  await chat.page.reload();
  await expect.poll(async () => plain(await chat.answer())).toBe(plain(answer));
  await expect(chat.questions).toContainText([question]);
  await expect(chat.questions).toHaveCount(1);
  expect((await account.lastReply(sessionId)).message.status).toBe("FINISHED");
});

test("a failure in a later turn leaves the earlier turns alone", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  upstream.script(
    { match: { user: "the second", kind: "answer" }, times: 1, refusal: { kind: "http", status: 400 } },
    { match: { user: question }, answer: "First." },
    { match: { user: "the second" }, answer: "Second." },
  );
  await chat.send(question);
  await chat.finished();
  await chat.send("the second");
  await chat.button("common.retry").click();
  await expect(chat.lastReply).toContainText("Second.");
  await chat.finished();
  await expect(chat.questions).toHaveText([question, "the second"]);
  await chat.page.reload();
  await expect(chat.questions).toHaveText([question, "the second"]);
  await expect(chat.replies).toHaveCount(2);
});
