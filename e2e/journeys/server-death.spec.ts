import { brokenConnection, refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { plain } from "../support/pages/chat-page.ts";
import { expectOnlyGrowth, logAnswers, seenAnswers } from "../support/screen-log.ts";

test.beforeEach(({ consoleWatch }) => consoleWatch.allow(brokenConnection, refusedWith(503)));
test.afterEach(async ({ stack }) => {
  if (!stack.server.running) await stack.server.restart();
});

for (const { part, reasoning, seen } of [
  { part: "answer", reasoning: 0, seen: "#20" },
  { part: "thought", reasoning: 60, seen: "#20" },
]) {
  test(`kill -9 in the middle of the ${part}: the restarted server finishes it on the open page`, async ({
    chat,
    stack,
    account,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 1, continuation: 1 });
    upstream.script({ match: { user: question }, reasoning, tokens: 120, paceMs: 20 });
    await logAnswers(chat.page);
    await chat.page.reload();
    await chat.send(question);
    await expect(chat.lastReply).toContainText(seen);
    await stack.server.kill9();
    await expect(chat.page.getByText(chat.text("conversation.reconnecting"))).toBeVisible();
    await stack.server.restart();
    await chat.finished();

    const { answer, thought, message } = await account.lastReply(await chat.sessionId());
    expect(message.status).toBe("FINISHED");
    expect({ answer, reasoning: thought }).toEqual(upstream.expected(question));
    expect(plain(await chat.answer())).toBe(plain(answer));
    expectOnlyGrowth(await seenAnswers(chat.page), answer);
    await expect(chat.questions).toHaveCount(1);
    await expect(chat.replies).toHaveCount(1);
  });
}

test("kill -9 twice in one reply, a reload while the server is away: nothing lost, nothing twice", async ({
  chat,
  stack,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1, continuation: 2 });
  upstream.script({ match: { user: question }, tokens: 200, paceMs: 20 });
  await chat.send(question);
  await expect(chat.lastReply).toContainText("#20");
  const path = new URL(chat.page.url()).pathname;
  await stack.server.kill9();
  await stack.server.restart();
  await expect(chat.lastReply).toContainText("#60");
  const before = await chat.answer();
  await stack.server.kill9();
  await stack.server.restart();
  await logAnswers(chat.page);
  await chat.page.goto(path);
  await chat.finished();
  const { answer } = await account.lastReply(await chat.sessionId());
  expect(answer).toBe(upstream.expected(question).answer);
  expect(plain(await chat.answer())).toBe(plain(answer));
  expectOnlyGrowth(await seenAnswers(chat.page), answer, before);
});

test("kill -9 before the first token: the reply is written after all", async ({
  chat,
  stack,
  account,
  upstream,
  calls,
  question,
}) => {
  // No text was stored, so that the second call asks for the whole answer.
  calls.expect({ answer: 2 });
  upstream.script(
    { match: { user: question }, times: 1, firstChunkMs: 20_000 },
    { match: { user: question }, tokens: 40 },
  );
  await chat.send(question);
  await expect.poll(() => calls.count("answer")).toBe(1);
  await stack.server.kill9();
  await stack.server.restart();
  await expect.poll(() => calls.count("answer")).toBe(2);
  await expect.poll(async () => plain(await chat.answer())).toBe(plain(upstream.expected(question).answer));
  await chat.finished();
  expect((await account.lastReply(await chat.sessionId())).answer).toBe(upstream.expected(question).answer);
  await expect(chat.questions).toHaveCount(1);
});

test("SIGTERM hands a running reply over: the next process finishes it", async ({
  chat,
  stack,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1, continuation: 1 });
  upstream.script({ match: { user: question }, tokens: 120, paceMs: 25 });
  await logAnswers(chat.page);
  await chat.page.reload();
  await chat.send(question);
  await expect(chat.lastReply).toContainText("#20");
  expect(await stack.server.term()).toBe(0);
  await stack.server.restart();
  await chat.finished();
  const { answer } = await account.lastReply(await chat.sessionId());
  expect(answer).toBe(upstream.expected(question).answer);
  expectOnlyGrowth(await seenAnswers(chat.page), answer);
});
